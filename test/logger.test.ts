import { expect, test } from 'vitest';
import { RackhandError } from '../src/errors.ts';
import { createLogger } from '../src/logger.ts';

test('an outage of the database is one line a minute, without stacks; other errors are all logged', () => {
  const lines: string[] = [];
  let nowMs = 0;
  const log = createLogger('info', { destination: { write: (line) => lines.push(line) }, now: () => nowMs });
  const err = new RackhandError('database_unreachable', "Rackhand can't reach its database.", {
    cause: new Error('connect ECONNREFUSED'),
  });
  for (let count = 0; count < 5; count += 1) log.error({ err, runId: `run-${count}` }, 'a run failed');
  log.error({ err: new Error('another one') }, 'a run failed');
  nowMs = 60_000;
  log.warn({ err }, 'a watch failed');

  const logged = lines.map((line) => JSON.parse(line));
  expect(logged.map(({ msg }) => msg)).toEqual([
    'the database cannot be reached; failures since the last such line',
    'a run failed',
    'the database cannot be reached; failures since the last such line',
  ]);
  expect(logged.map(({ failures }) => failures)).toEqual([1, undefined, 5]);
  expect(logged[0]).toMatchObject({ reason: 'connect ECONNREFUSED' });
  expect(lines[0]).not.toContain('stack');
});
