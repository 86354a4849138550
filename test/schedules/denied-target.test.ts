import { expect, test } from 'vitest';
import { deniedProblem } from '../../src/runs/problem.ts';
import { createScheduleFixture } from './schedule-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

test('a denied target pauses the schedule, even if another target ends much later', async () => {
  const { posted, store, runs, hooks, createProcess, add, advance } = await createScheduleFixture();
  const { id } = await add('nightly', { vps: 'VPS-10001 VPS-10002' });
  const { toRun } = hooks;
  const problem = deniedProblem({ message: 'You have no right.', advice: 'Ask.' });
  const denied = { status: 'failed', settledMs: 0, progress: null, result: { kind: 'problem', problem } };
  const working = { status: 'sent', settledMs: null, progress: null, result: null };
  hooks.toRun = () => (runs.size === 0 ? denied : working);
  const process = createProcess('A');
  await process.start();
  await advance(hourMs + minuteMs);
  expect((await store.get(id))?.occurrence).toMatchObject({ targets: [{ step: 'done' }, { step: 'run' }] });
  await process.stop(0);

  for (const [key, run] of runs) if (key.includes('VPS-10002')) Object.assign(run, toRun('reboot'));
  await createProcess('B').start();
  await advance(minuteMs);
  expect(posted.join('\n')).toContain('Done for 1 of 2 VPS.');
  expect(await store.get(id)).toMatchObject({
    state: { kind: 'paused', reason: 'denied' },
    occurrence: null,
  });
});
