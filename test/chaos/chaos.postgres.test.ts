import { expect, test } from 'vitest';
import { runChaos } from './chaos.ts';

// The long form also kills and freezes processes. Another process takes over their work after 30 s.
test('three replicas keep every guarantee while PostgreSQL, sockets and deploys interrupt them', async () => {
  const { violations, commands } = await runChaos({
    seed: 2,
    durationMs: 4_000,
    only: ['deploy', 'postgres', 'sockets'],
    commandPauseMs: 500,
    faultPauseMs: 1_000,
  });
  expect(violations).toEqual([]);
  expect(commands).toBeGreaterThan(5);
}, 360_000);
