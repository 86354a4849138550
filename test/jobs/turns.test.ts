import { expect, test } from 'vitest';
import type { DueJob } from '../../src/jobs/due-jobs.ts';
import { createTurns } from '../../src/jobs/turns.ts';

const capacity = { kind: 'test', free: 1, perWorkspace: 1 };

function createJob(teamId: string, userId = ''): DueJob {
  const id = `${teamId}/${userId}`;
  return { kind: 'test', id, teamId, userId, runningInWorkspace: 0, isAbandoned: false };
}

/**
 * Chooses one job at a time. The first job waits again at once. The others come back when each of
 * them has been served. Returns how often the first job was served within `rounds`.
 */
function countServed(first: DueJob, others: readonly DueJob[], rounds: number): number {
  const turns = createTurns();
  let served = 0;
  let waiting = others;
  for (let round = 0; round < rounds; round += 1) {
    const [chosen] = turns.choose([first, ...waiting], capacity);
    if (chosen === first) served += 1;
    waiting = waiting.length > 1 ? waiting.filter((job) => job !== chosen) : others;
  }
  return served;
}

test('a workspace that always waits is served as often as those that come back', () => {
  const others = ['T2', 'T3', 'T4'].map((teamId) => createJob(teamId));
  expect(countServed(createJob('T1'), others, 100)).toBeGreaterThanOrEqual(25);
});

test('a person who always waits is served as often as those who come back', () => {
  const others = ['U2', 'U3', 'U4'].map((userId) => createJob('T1', userId));
  expect(countServed(createJob('T1', 'U1'), others, 100)).toBeGreaterThanOrEqual(25);
});

test('a workspace that begins to wait is served after one job of a workspace that always waits', () => {
  const turns = createTurns();
  const [heavy, light] = [createJob('T1'), createJob('T2')];
  for (let round = 0; round < 10; round += 1) turns.choose([heavy], capacity);
  const chosen = [turns.choose([heavy, light], capacity), turns.choose([heavy, light], capacity)];
  expect(chosen.flat()).toEqual([heavy, light]);
});
