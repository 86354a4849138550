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

test('a second reboot right after the first costs two reads before its call, by name too', async () => {
  const runner = fixture.createRunner();
  await fixture.request(runner, 'status', {});
  await fixture.request(runner, 'list', {});
  const reboot = async (vps: string, count: number) => {
    const token = await fixture.requestConfirmation(runner, 'reboot', { vps });
    await runner.confirm({ token, actor });
    await expect.poll(() => fixture.changingCalls()).toHaveLength(count);
  };
  await reboot('web-01', 1);
  const before = (await fixture.calls()).length;
  await reboot('web-02', 2);
  const calls = (await fixture.calls()).slice(before);
  expect(calls.slice(0, calls.indexOf('POST /v1/vps/VPS-10002/action'))).toEqual([
    'GET /v1/vps/VPS-10002',
    'GET /v1/vps/VPS-10002',
  ]);
});
