import { expect, onTestFinished, test, vi } from 'vitest';
import { createActiveRuns } from '../../../src/runs/recovery/active-runs.ts';
import { createRunReaper } from '../../../src/runs/recovery/run-reaper.ts';
import { createRun } from '../create-run.ts';
import { useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();
const log = { error: () => undefined };
const checkMs = 10_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Starts a reaper. Returns the IDs of the runs that it recovers, and of those that it announces. */
async function startReaper(activeRuns: ReturnType<typeof createActiveRuns>) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const recovered: string[] = [];
  const announced: string[] = [];
  const reaper = createRunReaper({
    runs: fixture.runs,
    activeRuns,
    recover: async ({ id }) => void recovered.push(id),
    announce: ({ id }) => void announced.push(id),
    owner: 'this-process',
    hasReplicas: true,
    now: () => fixture.nowMs,
    log,
  });
  onTestFinished(() => reaper.stop());
  await reaper.start();
  return { recovered, announced };
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

test('a run that ended ten minutes ago and could not be reported is announced again every ten minutes', async () => {
  observeChecks();
  const { announced } = await startReaper(createActiveRuns(log));
  const endedMs = fixture.nowMs;
  for (const id of ['reported', 'not reported', 'of another process']) {
    const owner = id === 'of another process' ? 'another' : 'this-process';
    await fixture.runs.claim(createRun({ id }), id, { owner, untilMs: endedMs + 24 * hourMs });
    await fixture.database.db.updateTable('run').set({ settled_at: endedMs }).where('id', '=', id).execute();
  }
  await fixture.runs.markDelivered('reported');
  const counts: number[] = [];
  for (const minutes of [9, 11, 19, 21]) {
    fixture.nowMs = endedMs + minutes * minuteMs;
    await check();
    counts.push(announced.length);
  }
  expect(counts).toEqual([0, 1, 1, 2]);
  expect(new Set(announced)).toEqual(new Set(['not reported']));
  await fixture.runs.markDelivered('not reported');
  fixture.nowMs = endedMs + hourMs;
  await check();
  expect(announced).toHaveLength(2);
});

test('a run that could not be reported is announced again although the clock was set back', async () => {
  observeChecks();
  const { announced } = await startReaper(createActiveRuns(log));
  await fixture.runs.claim(createRun(), 'key', { owner: 'this-process', untilMs: fixture.nowMs + hourMs });
  await fixture.database.db.updateTable('run').set({ settled_at: fixture.nowMs }).execute();
  fixture.nowMs -= hourMs;
  await check();
  expect(announced).toEqual(['run-1']);
  await check();
  expect(announced).toEqual(['run-1']);
});
