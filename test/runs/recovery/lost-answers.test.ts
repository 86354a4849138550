import { expect, test } from 'vitest';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
import type { RunStore } from '../../../src/runs/store/run-store.ts';
import { actor, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();
const quiet = { info: () => undefined, error: () => undefined };
const lost = new Error('Connection terminated unexpectedly');

async function confirmReboot(overrides: Partial<RunnerDependencies>) {
  const runner = fixture.createRunner({ log: quiet, pause: async () => undefined, ...overrides });
  const token = await fixture.requestConfirmation(runner, 'reboot', { vps: 'VPS-10001' });
  const reply = await runner.confirm({ token, actor });
  await runner.stop();
  return { runId: parseRunId(token), reply };
}

/** Starts the next process, which recovers the run. */
async function recover(runId: string) {
  const next = fixture.createRunner();
  await next.start();
  const run = await fixture.waitUntilSettled(runId);
  await next.stop();
  return run;
}

test("an end that was stored is announced once, although the database's answer was lost", async () => {
  let isBroken = false;
  const settle: RunStore['settle'] = async (settlement) => {
    const isSettled = await fixture.runs.settle(settlement);
    if (isBroken) return isSettled;
    isBroken = true;
    throw lost;
  };
  await confirmReboot({ runs: { ...fixture.runs, settle } });
  expect(fixture.announced.map(({ status }) => status)).toEqual(['queued', 'sent', 'done']);
});

test("a change that was queued, although the database's answer was lost, is sent once by the reaper", async () => {
  const enqueue: RunStore['enqueue'] = async (...queued) => {
    await fixture.runs.enqueue(...queued);
    throw lost;
  };
  const { runId } = await confirmReboot({ runs: { ...fixture.runs, enqueue } });
  expect(await fixture.changingCalls()).toEqual([]);
  expect(await recover(runId)).toMatchObject({ status: 'done' });
  expect(await fixture.changingCalls()).toHaveLength(1);
});

test("a change whose mark as sent was stored, although the database's answer was lost, is never sent and ends as unknown", async () => {
  const markSent: RunStore['markSent'] = async (...marked) => {
    await fixture.runs.markSent(...marked);
    throw lost;
  };
  const { runId } = await confirmReboot({ runs: { ...fixture.runs, markSent } });
  expect(await recover(runId)).toMatchObject({ status: 'unknown' });
  expect(await fixture.changingCalls()).toEqual([]);
});
