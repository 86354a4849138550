import type { Updateable } from 'kysely';
import { expect, test } from 'vitest';
import type { RunTable } from '../../../src/db/schema/schema.ts';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
import { useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();

/** A log that records its errors. */
function recordErrors() {
  const errors: unknown[] = [];
  const log: RunnerDependencies['log'] = {
    info: () => undefined,
    error: (...words: unknown[]) => void errors.push(words),
  };
  return { errors, log };
}

const setRun = (values: Updateable<RunTable>, id: string) =>
  fixture.database.db.updateTable('run').set(values).where('id', '=', id).execute();

const unreadable = { result: { problem: { code: 'run_unreadable' } } };

test.each([
  ['has the input of another version', { input: '{"server":"VPS-10001"}' }, 'invalid input: vps'],
  ['is of an operation that is gone', { operation: 'defragment' }, 'unknown operation'],
  ['has input that is not JSON', { input: '{"vps":' }, 'unreadable: input'],
  ['has an origin that is not JSON', { origin: 'C1' }, 'unreadable: origin'],
  ["doesn't say since when", { queued_at: null }, 'unreadable: queued_at'],
])('a queued run that %s ends, and others go on', async (_, values, reason) => {
  await fixture.insertRun('queued');
  await setRun(values, 'left');
  await fixture.database.db.updateTable('run').set({ id: 'bad', request_key: 'bad' }).execute();
  await fixture.insertRun('queued');
  const { errors, log } = recordErrors();
  const runner = fixture.createRunner({ log });
  await runner.start();
  expect(await fixture.waitUntilSettled('bad')).toMatchObject({ ...unreadable, status: 'expired' });
  expect(await fixture.waitUntilSettled('left')).toMatchObject({ status: 'done' });
  expect(await fixture.changingCalls()).toHaveLength(1);
  expect(fixture.announced.find(({ id }) => id === 'bad')).toMatchObject({
    title: 'Reboot VPS-10001',
    result: { problem: { changed: 'Nothing was changed.' } },
  });
  expect(runner.listUnreadableRuns()).toMatchObject([{ runId: 'bad', reason }]);
  expect(errors).toMatchObject([[{ runId: 'bad', reason }, expect.anything()]]);
});

test('a sent run that is unreadable is settled as unknown', async () => {
  await fixture.insertRun('sent');
  await setRun({ operation: 'defragment' }, 'left');
  await fixture.createRunner(recordErrors()).start();
  expect(await fixture.waitUntilSettled('left')).toMatchObject({
    status: 'unknown',
    result: { problem: { code: 'run_unreadable', changed: expect.stringContaining('unknown') } },
  });
  expect(await fixture.changingCalls()).toEqual([]);
});
