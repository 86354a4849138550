import { expect, test } from 'vitest';
import { createActiveRuns } from '../../src/runs/pipeline/active-runs.ts';

test('a run is active, and its waiting calls can be cancelled, until the last click on it was answered', async () => {
  const { during, has, cancelSignal, cancelWaitingCalls } = createActiveRuns({ error: () => undefined });
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const clicks = [during('run', first.promise), during('run', second.promise)];
  const signal = cancelSignal('run');
  first.resolve();
  await clicks[0];
  expect(has('run')).toBe(true);
  expect(cancelWaitingCalls('run')).toBe(true);
  expect(signal?.aborted).toBe(true);
  second.resolve();
  await clicks[1];
  expect(has('run')).toBe(false);
  expect(cancelSignal('run')).toBeUndefined();
});
