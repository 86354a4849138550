import { expect, test } from 'vitest';
import { snapshotFirstInput } from '../../../src/runs/pipeline/confirmation/card-offers.ts';
import { actor, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();

/** Creates a runner. The first confirmed run is held after the checks of its target. */
function createHoldingRunner() {
  const checked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isFirst = true;
  const runner = fixture.createRunner({
    async findApprovalRoute({ run }) {
      if (run.confirmedState.kind === 'unconfirmed' || !isFirst) return undefined;
      isFirst = false;
      checked.resolve();
      await released.promise;
      return undefined;
    },
  });
  return { runner, checked: checked.promise, release: released.resolve };
}

test('a second click on a card that chose something else changes nothing', async () => {
  const { runner, checked, release } = createHoldingRunner();
  const raw = { vps: 'VPS-10001', os: 'debian-12', delivery: 'api' };
  const token = await fixture.requestConfirmation(runner, 'reinstall', raw);
  const click = { token, actor, typed: 'VPS-10001' };
  const first = runner.confirm(click);
  await checked;
  expect(await runner.confirm({ ...click, snapshotFirst: true })).toEqual({ kind: 'duplicate' });
  release();
  expect(await first).toEqual({ kind: 'started' });
  // After a crash, the run is continued from this row.
  expect((await fixture.runs.find(parseRunId(token)))?.input).not.toMatchObject(snapshotFirstInput);
  await runner.stop();
  expect(await fixture.changingCalls()).toEqual(['POST /v1/vps/VPS-10001/reinstall']);
});

test('a click whose check was interrupted ends the run, and its person is told to try again', async () => {
  const { runner, checked, release } = createHoldingRunner();
  const token = await fixture.requestConfirmation(runner, 'reboot', { vps: 'VPS-10002' });
  const first = runner.confirm({ token, actor });
  await checked;
  await runner.release();
  const next = fixture.createRunner();
  await next.start();
  expect(await fixture.waitUntilSettled(parseRunId(token))).toMatchObject({
    status: 'expired',
    result: { problem: { changed: 'Nothing was changed.', nextSteps: [{ label: 'Try Again' }] } },
  });
  expect(fixture.announced).toMatchObject([{ status: 'expired' }]);
  release();
  expect(await first).toEqual({ kind: 'duplicate' });
  await next.stop();
  expect(await fixture.changingCalls()).toEqual([]);
});
