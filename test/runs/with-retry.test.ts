import { expect, test } from 'vitest';
import { RackhandError } from '../../src/errors.ts';
import { createRetrier } from '../../src/runs/with-retry.ts';

const about = { runId: 'run-1', failure: 'could not record a run' };
const away = new RackhandError('database_unreachable', 'The database is away.');

/** Work that fails this often. Returns the pauses and the log besides. */
function createWork(failures: number, error: Error, onPause: (pauses: number) => unknown = () => {}) {
  const [pauses, logged]: [number[], string[]] = [[], []];
  let attempts = 0;
  const retrier = createRetrier(
    { error: (_: unknown, message?: string) => void logged.push(message ?? '') },
    async (ms) => {
      pauses.push(ms);
      await onPause(pauses.length);
    },
  );
  const result = () =>
    retrier.withRetry(async () => {
      attempts += 1;
      if (attempts <= failures) throw error;
      return 'done';
    }, about);
  return { retrier, result, pauses, logged, attempts: () => attempts };
}

test('work is retried as long as the database is away', async () => {
  const works = createWork(10, away);
  expect(await works.result()).toBe('done');
  expect(works.pauses.slice(2)).toEqual(Array(8).fill(5_000));
});

test('a stop ends the pause, and work that fails again is not retried', async () => {
  const works = createWork(1_000, away, (pauses) => {
    if (pauses === 1) works.retrier.stop();
    return new Promise(() => {});
  });
  await expect(works.result()).rejects.toBe(away);
  expect(works.attempts()).toBe(2);
});
