import { expect, test } from 'vitest';
import type { Clock } from '../../src/jobs/clock.ts';
import { settle } from '../jobs/jobs-fixture.ts';
import { createScheduleFixture } from './schedule-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Creates the clock of a process that can be frozen: due timers fire when it continues. */
function createFreezableClock(clock: Clock) {
  let isFrozen = false;
  const overdue: (() => void)[] = [];
  return {
    now: clock.now,
    setTimer: (atMs: number, run: () => void) =>
      clock.setTimer(atMs, () => (isFrozen ? void overdue.push(run) : run())),
    freeze() {
      isFrozen = true;
    },
    continue() {
      isFrozen = false;
      for (const run of overdue.splice(0)) run();
    },
  };
}

/**
 * Freezes process A the first time it calls the hook. Process B finishes the occurrence. Then A
 * continues.
 */
async function freezeAt(hook: 'readVps' | 'beforeFindRun') {
  const fixture = await createScheduleFixture();
  const { clock, hooks, createProcess, add, advance, posted } = fixture;
  const { id } = await add('nightly');
  const continued = Promise.withResolvers<void>();
  const frozenClock = createFreezableClock(clock);
  let isFirst = true;
  async function freezeOnce(process: string): Promise<void> {
    if (process !== 'A' || !isFirst) return;
    isFirst = false;
    frozenClock.freeze();
    await continued.promise;
  }
  if (hook === 'beforeFindRun') hooks.beforeFindRun = freezeOnce;
  else
    hooks.readVps = async (process) => {
      await freezeOnce(process);
      return { status: 'running' };
    };
  await createProcess('A', frozenClock).start();
  await advance(hourMs + 2_000);
  await createProcess('B').start();
  await advance(20 * minuteMs);
  expect(posted.at(-1)).toContain('✅');
  const before = posted.length;
  frozenClock.continue();
  continued.resolve();
  for (let turn = 0; turn < 20; turn += 1) await settle();
  await advance(minuteMs);
  return { ...fixture, id, newPosts: () => posted.slice(before) };
}

test('a process that was frozen while it read a VPS posts and stores no result', async () => {
  const { store, id, newPosts } = await freezeAt('readVps');
  expect((await store.get(id))?.lastResult).toMatchObject({ isOk: true });
  expect(newPosts()).toEqual([]);
});
