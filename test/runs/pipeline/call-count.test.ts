import { expect, test } from 'vitest';
import { actor, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();

test.each(['VPS-10001', 'web-01'])(
  'a confirmed reboot of %s on a warm cache costs two reads before its call',
  async (vps) => {
    const runner = fixture.createRunner();
    await fixture.request(runner, 'status', {});
    await fixture.request(runner, 'list', {});
    const before = (await fixture.calls()).length;
    const token = await fixture.requestConfirmation(runner, 'reboot', { vps });
    await runner.confirm({ token, actor });
    await expect.poll(() => fixture.changingCalls()).toHaveLength(1);
    expect((await fixture.calls()).slice(before)).toEqual([
      'GET /v1/vps/VPS-10001',
      'GET /v1/vps/VPS-10001',
      'POST /v1/vps/VPS-10001/action',
    ]);
  },
);
