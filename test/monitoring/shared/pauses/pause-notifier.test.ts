import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MemberType } from '../../../../src/auth/member-directory.ts';
import { type OpenDatabase, openDatabase } from '../../../../src/db/engines/database.ts';
import type { Report } from '../../../../src/monitoring/reports/report.ts';
import { createReportStore } from '../../../../src/monitoring/reports/report-store.ts';
import { createPauseNotifier } from '../../../../src/monitoring/shared/pauses/pause-notifier.ts';
import type { Actor } from '../../../../src/operations/define/access/actor.ts';
import type { Outcome } from '../../../../src/operations/define/outcome.ts';
import { eventually } from '../../../eventually.ts';
import { createManualClock } from '../../../jobs/clocks/manual-clock.ts';

const log = { warn: vi.fn(), error: vi.fn(), info: vi.fn(), debug: vi.fn() };
const nowMs = Date.parse('2026-11-23T08:00Z');
const minuteMs = 60_000;
const alice = { teamId: 'T0ACME', userId: 'U0ALICE' };
const timing = { kind: 'day', at: '09:00', zone: 'UTC', quiet: [] } as const;

let database: OpenDatabase;
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:', { log });
});
afterEach(() => database.close());

/** Two processes that pause reports, and a person whose notice is slow, or fails at first. */
function setUp(failures = 0) {
  const store = createReportStore(database.db);
  const clock = createManualClock(nowMs);
  const notices: Outcome[] = [];
  const recipients: string[] = [];
  let left = failures;
  const publisher = {
    async sendDirectMessage({ userId }: Actor, outcome: Outcome) {
      await turn();
      left -= 1;
      if (left >= 0) throw new Error('Slack is away');
      notices.push(outcome);
      recipients.push(userId);
      return true;
    },
  };
  const runs = { addAuditEntry: vi.fn(async () => undefined) };
  const hooks = { memberType: 'member' as MemberType };
  const directory = { findMemberType: async () => hooks.memberType };
  const people = { directory, listAdmins: async () => ['U0BOB', 'U0CAROL'] };
  const create = () => createPauseNotifier({ kind: 'report', store, runs, publisher, ...people, clock, log });
  async function planned(name: string, channel = 'C0OPS'): Promise<Report> {
    const report = await store.add(alice, { name, channel, timing, content: {} }, nowMs);
    if (!report) throw new Error('the name is taken');
    return report;
  }
  const pause = ({ id }: Report, reason: 'channel' | 'key' = 'channel') =>
    store.pause(id, { reason, byUserId: null }, clock.now());
  return { clock, hooks, notices, recipients, planned, pause, here: create(), there: create(), runs };
}

describe('the owner of a paused report', () => {
  test('is notified once of each, however many processes find it at the same time', async () => {
    const { planned, pause, here, there, notices } = setUp();
    const [one, two] = [await planned('One'), await planned('Two', 'C0GENERAL')];
    await Promise.all([pause(one).then(here.notify), pause(two).then(here.notify), there.notify()]);
    await Promise.all([here.notify(), there.notify()]);
    expect(notices.map(({ title }) => title).sort()).toEqual([
      'Report "One" is paused',
      'Report "Two" is paused',
    ]);
  });

  test('is notified in one message of all that are paused for the same reason', async () => {
    const { planned, pause, here, notices, runs } = setUp();
    for (const name of ['One', 'Two', 'Three']) await pause(await planned(name), 'key');
    await here.notify();
    expect(notices).toMatchObject([{ title: '3 reports are paused' }]);
    expect(runs.addAuditEntry).toHaveBeenCalledWith(expect.objectContaining({ operation: 'report pause' }));
  });

  test("is notified later if Slack is unavailable, also of what another process claimed but didn't send", async () => {
    const { clock, planned, pause, here, there, notices } = setUp(2);
    await pause(await planned('One'));
    await here.notify();
    await there.start();
    expect(notices).toEqual([]);
    await eventually(async () => {
      await clock.advanceTo(clock.now() + minuteMs, async () => undefined);
      expect(notices).toHaveLength(1);
    });
    here.stop();
    there.stop();
    expect(notices[0]?.next?.map(({ label }) => label)).toEqual(['Resume', 'Edit', 'Reports']);
  });

  test('who has left the workspace is not told, but each admin is', async () => {
    const { hooks, planned, pause, here, notices, recipients } = setUp();
    hooks.memberType = 'deleted';
    for (const name of ['One', 'Two']) await pause(await planned(name), 'key');
    await Promise.all([here.notify(), here.notify()]);
    expect(recipients).toEqual(['U0BOB', 'U0CAROL']);
    expect(notices[0]).toMatchObject({ title: '2 reports are paused' });
    expect(notices[0]?.notes?.at(-1)).toContain("can't message the creator");
  });
});
