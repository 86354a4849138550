import { expect, test } from 'vitest';
import { performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import { snapshotFirstInput } from '../../../src/runs/parts/snapshot-first.ts';
import { actor, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();

/** Creates a runner. The first confirmed run is held after the checks of its target. */
function createHoldingRunner() {
  const checked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isFirst = true;
  const runner = fixture.createRunner({
    async findApprovalRoute({ run }) {
      if (run.confirmedState === null || !isFirst) return undefined;
      isFirst = false;
      checked.resolve();
      await released.promise;
      return undefined;
    },
  });
  return { runner, checked: checked.promise, release: released.resolve };
}

test('a click sends what it confirmed, although a second click chose something else', async () => {
  const { runner, checked, release } = createHoldingRunner();
  const raw = { vps: 'VPS-10001', os: 'debian-12', delivery: 'api' };
  const token = await fixture.requestConfirmation(runner, 'reinstall', raw);
  const click = { token, actor, typed: 'VPS-10001' };
  const withSnapshot = runner.confirm({ ...click, snapshotFirst: true });
  await checked;
  expect(await runner.confirm(click)).toEqual({ kind: 'started' });
  release();
  expect(await withSnapshot).toEqual({ kind: 'duplicate' });
  // After a crash, the run is continued from this row.
  expect((await fixture.runs.find(parseRunId(token)))?.input).not.toMatchObject(snapshotFirstInput);
  await runner.stop();
  expect(await fixture.changingCalls()).toEqual(['POST /v1/vps/VPS-10001/reinstall']);
});

test('a click sends nothing after a second click was shown that the target has changed', async () => {
  const { runner, checked, release } = createHoldingRunner();
  const token = await fixture.requestConfirmation(runner, 'reboot', { vps: 'VPS-10002' });
  const first = runner.confirm({ token, actor });
  await checked;
  // Somebody else reboots it.
  const other = { params: { vps_name: 'VPS-10002' }, body: { action: 'reboot' } } as const;
  await fixture.client.call(performVpsAction, other, { lane: 'people' });
  expect(await runner.confirm({ token, actor })).toMatchObject({
    kind: 'confirmation',
    confirmation: { hasTargetChanged: true },
  });
  expect(await runner.ownConfirmation(token), 'would replace the new card with a notice').toBe(false);
  release();
  expect(await first).toEqual({ kind: 'duplicate' });
  await runner.stop();
  expect(await fixture.changingCalls(), 'with the reboot of somebody else').toHaveLength(1);
});
