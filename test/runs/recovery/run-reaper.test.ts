import { expect, onTestFinished, test, vi } from 'vitest';
import { createActiveRuns } from '../../../src/runs/pipeline/active-runs.ts';
import { createRunReaper } from '../../../src/runs/run-reaper.ts';
import { createRun } from '../create-run.ts';
import { useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();
const log = { error: () => undefined };
const checkMs = 10_000;

/** Starts a reaper. Returns the IDs of the runs that it recovers. */
async function startReaper(activeRuns: ReturnType<typeof createActiveRuns>) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const recovered: string[] = [];
  const reaper = createRunReaper({
    runs: fixture.runs,
    activeRuns,
    recover: async ({ id }) => void recovered.push(id),
    owner: 'this-process',
    hasReplicas: true,
    now: () => fixture.nowMs,
    log,
  });
  onTestFinished(() => reaper.stop());
  await reaper.start();
  return { recovered };
}

/** Stores a read of this process. Its claim is about to return. */
async function claimRun(): Promise<void> {
  const run = createRun({ operation: 'show', status: 'queued', queuedMs: fixture.nowMs, settledMs: null });
  await fixture.runs.claim(run, 'key', { owner: 'this-process', untilMs: fixture.nowMs + 30_000 });
}

const checked = vi.fn();

function observeChecks(): void {
  vi.spyOn(fixture.runs, 'expireOverdue').mockImplementation(async () => {
    checked();
    return [];
  });
}

async function check(): Promise<void> {
  const before = checked.mock.calls.length;
  vi.advanceTimersByTime(checkMs);
  await vi.waitFor(() => expect(checked.mock.calls.length).toBeGreaterThan(before));
}

test('a run that is being claimed is left alone, and one that stays idle is recovered', async () => {
  observeChecks();
  await claimRun();
  const { recovered } = await startReaper(createActiveRuns(log));
  expect(recovered).toEqual([]);
  await check();
  expect(recovered).toEqual(['run-1']);
});

test('a run on which work has begun since the last check is left alone', async () => {
  observeChecks();
  const activeRuns = createActiveRuns(log);
  await claimRun();
  const { recovered } = await startReaper(activeRuns);
  activeRuns.start('run-1', new Promise(() => undefined));
  await check();
  expect(recovered).toEqual([]);
});
