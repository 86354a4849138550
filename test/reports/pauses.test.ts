import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Outcome } from '../../src/operations/outcome.ts';
import { createPauses } from '../../src/reports/pauses.ts';
import type { Report } from '../../src/reports/schedule/report.ts';
import { createReportStore } from '../../src/reports/schedule/report-store.ts';
import { type OpenDatabase, openDatabase } from '../../src/storage/database.ts';
import { eventually } from '../eventually.ts';
import { createManualClock } from './schedule/manual-clock.ts';

const log = { warn: vi.fn(), error: vi.fn(), info: vi.fn(), debug: vi.fn() };
const nowMs = Date.parse('2026-11-23T08:00Z');
const minuteMs = 60_000;
const alice = { teamId: 'T0ACME', userId: 'U0ALICE' };
const recurrence = { every: 'day', at: '09:00', zone: 'UTC', quiet: [] } as const;

let database: OpenDatabase;
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:', { log });
});
afterEach(() => database.close());

/** Two processes, as far as they let reports rest, and a person who is told slowly, or not at first. */
function stage(failures = 0) {
  const store = createReportStore(database.db);
  const clock = createManualClock(nowMs);
  const told: Outcome[] = [];
  let left = failures;
  const voice = {
    async tellPerson(_: unknown, outcome: Outcome) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      left -= 1;
      if (left >= 0) throw new Error('Slack is away');
      told.push(outcome);
    },
  };
  const runs = { record: vi.fn(async () => undefined) };
  const create = () => createPauses({ noun: 'report', store, runs, voice, clock, log });
  async function planned(name: string, channel = 'C0OPS'): Promise<Report> {
    const report = await store.add(alice, { name, channel, recurrence, content: {} }, nowMs);
    if (!report) throw new Error('the name is taken');
    return report;
  }
  const rest = ({ id }: Report, reason: 'channel' | 'key' = 'channel') =>
    store.pause(id, { reason, byUserId: null }, clock.now());
  return { clock, told, planned, rest, here: create(), there: create(), runs };
}

describe('whoever planned what rests', () => {
  test('is told of each once, however many processes find it at the same time', async () => {
    const { planned, rest, here, there, told } = stage();
    const [one, two] = [await planned('One'), await planned('Two', 'C0GENERAL')];
    await Promise.all([rest(one).then(here.tell), rest(two).then(here.tell), there.tell()]);
    await Promise.all([here.tell(), there.tell()]);
    expect(told.map(({ title }) => title).sort()).toEqual([
      'The report "One" rests',
      'The report "Two" rests',
    ]);
  });

  test('is told in one word of all that rest for the same reason', async () => {
    const { planned, rest, here, told, runs } = stage();
    for (const name of ['One', 'Two', 'Three']) await rest(await planned(name), 'key');
    await here.tell();
    expect(told).toMatchObject([{ title: '3 reports rest' }]);
    expect(runs.record).toHaveBeenCalledWith(expect.objectContaining({ operation: 'report pause' }));
  });

  test('is told again in a while where Slack is away, also of what another process took up and did not tell', async () => {
    const { clock, planned, rest, here, there, told } = stage(2);
    await rest(await planned('One'));
    await here.tell();
    await there.start();
    expect(told).toEqual([]);
    await eventually(async () => {
      await clock.advanceTo(clock.now() + minuteMs, async () => undefined);
      expect(told).toHaveLength(1);
    });
    here.stop();
    there.stop();
    expect(told[0]?.next?.map(({ label }) => label)).toEqual(['Resume', 'Edit', 'Reports']);
  });
});
