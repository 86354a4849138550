import { describe, expect, test } from 'vitest';
import { createReportStore } from '../../../../src/monitoring/reports/report-store.ts';
import { createOccurrenceStore } from '../../../../src/monitoring/reports/schedule/occurrence-store.ts';
import type { Recurrence } from '../../../../src/monitoring/reports/schedule/recurrence.ts';
import { createBaselineStore } from '../../../../src/monitoring/reports/summary/baseline-store.ts';
import { type StartDatabase, useTestDatabase } from '../../../db/test-database.ts';
import { createSchedulerFixture } from './scheduler-fixture.ts';

const hourMs = 60 * 60_000;
const nowMs = Date.parse('2026-11-23T08:00Z');
const dueMs = nowMs + hourMs;

const daily: Recurrence = { every: 'day', at: '09:00', zone: 'UTC', quiet: [] };
const alice = { teamId: 'T0ACME', userId: 'U0ALICE' };
const plan = {
  name: 'morning “здесь”',
  channel: 'C0OPS',
  recurrence: { ...daily, quiet: [{ from: '22:00', to: '07:00', days: ['sat', 'sun'] as const }] },
  content: { vps: ['VPS-1*'], thresholds: { cpu: 0.9 } },
};

/** Tests that are the same for every database. */
export function describeReportStorage(name: string, start: StartDatabase): void {
  describe(`reports in ${name}`, () => {
    const database = useTestDatabase(start);

    test('the baseline of a report is replaced each time, and deleted with its workspace', async () => {
      const memory = createBaselineStore(database.db);
      const report = await createReportStore(database.db).add(alice, plan, nowMs);
      const id = report?.id ?? '';
      const vps = { 'VPS-10001': { state: 'running', cpuPercent: 12.5, findings: [] } };
      await memory.save(id, { untilMs: nowMs, vps: {} });
      await memory.save(id, { untilMs: dueMs, vps });
      await memory.deleteWorkspace('T0GLOBEX');
      expect(await memory.find(id)).toEqual({ untilMs: dueMs, vps });
      await memory.deleteWorkspace('T0ACME');
      expect(await memory.find(id)).toBeUndefined();
      await reportsOf().deleteWorkspace('T0ACME');
      await memory.save(id, { untilMs: nowMs, vps: {} });
      expect(await memory.find(id)).toBeUndefined();
    });

    const reportsOf = () => createReportStore(database.db);
    const duesOf = () => createOccurrenceStore(database.db);

    async function added(name = plan.name) {
      const report = await reportsOf().add(alice, { ...plan, name }, nowMs);
      if (!report) throw new Error('the name is taken');
      return report;
    }

    async function upcoming() {
      const [first] = await duesOf().listUpcoming(dueMs);
      if (!first) throw new Error('nothing is due');
      return first;
    }

    test('a report is read as it was stored, by its ID and by its name', async () => {
      const report = await added();
      expect(report).toMatchObject({
        ...plan,
        teamId: 'T0ACME',
        createdBy: 'U0ALICE',
        createdMs: nowMs,
        state: { kind: 'active', nextMs: dueMs },
        skippedSinceMs: null,
      });
      expect(await reportsOf().get(report.id)).toEqual(report);
      expect(await reportsOf().find('T0ACME', plan.name)).toEqual(report);
      expect(await reportsOf().find('T0GLOBEX', plan.name)).toBeUndefined();
      expect(await reportsOf().list('T0ACME')).toEqual([report]);
    });

    test('a name belongs to one report of a workspace until that is deleted', async () => {
      const report = await added();
      expect(await reportsOf().add(alice, plan, nowMs)).toBeUndefined();
      expect(await reportsOf().add({ ...alice, teamId: 'T0GLOBEX' }, plan, nowMs)).toBeDefined();
      const other = await added('evening');
      expect(await reportsOf().edit(other, plan, nowMs)).toBe(false);
      expect(await reportsOf().delete(report.id)).toBe(true);
      expect(await reportsOf().delete(report.id)).toBe(false);
      expect((await reportsOf().get(report.id))?.state).toEqual({ kind: 'deleted' });
      expect(await reportsOf().edit(other, plan, nowMs)).toBe(true);
      expect(await reportsOf().add(alice, plan, nowMs)).toBeUndefined();
    });

    test('a rescheduled report waits for its new time, unless it is paused', async () => {
      const report = await added();
      const later = { ...plan, recurrence: { ...daily, at: '12:00' } };
      await reportsOf().edit(report, later, nowMs);
      expect((await reportsOf().get(report.id))?.state).toEqual({
        kind: 'active',
        nextMs: nowMs + 4 * hourMs,
      });
      await reportsOf().pause(report.id, { reason: 'channel', byUserId: null }, nowMs);
      const edited = { ...report, revision: 1 };
      expect(await reportsOf().edit(report, plan, nowMs)).toBe(false);
      expect(await reportsOf().edit(edited, plan, nowMs)).toBe(true);
      const paused = { kind: 'paused', reason: 'channel', byUserId: null, sinceMs: nowMs };
      expect((await reportsOf().get(report.id))?.state).toEqual(paused);
      expect(await duesOf().listUpcoming(dueMs + 24 * hourMs)).toEqual([]);
      expect(await reportsOf().resume({ ...report, ...plan }, nowMs)).toBe(true);
      expect((await reportsOf().get(report.id))?.state).toEqual({ kind: 'active', nextMs: dueMs });
    });

    test('a late report stays late when its content is changed, unless it was possibly posted', async () => {
      const lateMs = dueMs + hourMs;
      const report = await added();
      expect(await reportsOf().edit(report, { ...plan, content: 'other' }, lateMs)).toBe(true);
      expect((await reportsOf().get(report.id))?.state).toEqual({ kind: 'active', nextMs: dueMs });
      const [late] = await duesOf().listUpcoming(lateMs);
      if (!late) throw new Error('nothing is due');
      await duesOf().claim(late, { token: 'a', untilMs: lateMs + 1000 }, lateMs);
      await duesOf().markPosting({ token: 'a', untilMs: lateMs + 1000 }, lateMs);
      expect(await reportsOf().edit({ ...report, revision: 1 }, plan, lateMs)).toBe(true);
      expect((await reportsOf().get(report.id))?.state).toEqual({
        kind: 'active',
        nextMs: dueMs + 24 * hourMs,
      });
    });

    test('if two edits are made at once, one is rejected', async () => {
      const report = await added();
      const edits = ['a', 'b', 'c'].map((content) => reportsOf().edit(report, { ...plan, content }, nowMs));
      expect((await Promise.all(edits)).filter(Boolean)).toHaveLength(1);
    });

    test('the owner of a report is notified once that Rackhand has paused it', async () => {
      const report = await added();
      const other = await added('evening');
      const pause = () => reportsOf().pause(report.id, { reason: 'key', byUserId: null }, nowMs);
      expect((await Promise.all([pause(), pause()])).filter(Boolean)).toHaveLength(1);
      await reportsOf().pause(other.id, { reason: 'person', byUserId: 'U0BOB' }, nowMs);
      expect((await reportsOf().claimUnnotified(nowMs, nowMs - 1)).map(({ id }) => id)).toEqual([report.id]);
      expect(await reportsOf().claimUnnotified(nowMs, nowMs - 1)).toEqual([]);
      expect(await reportsOf().claimUnnotified(nowMs + 1, nowMs)).toHaveLength(1);
      await reportsOf().markNotified([report.id], nowMs);
      expect(await reportsOf().claimUnnotified(nowMs + 2, nowMs + 1)).toEqual([]);
    });

    test('an occurrence is claimed by one of several, and again by one of several when its lease has ended', async () => {
      await added();
      const first = await upcoming();
      const claims = (atMs: number, life: string) =>
        Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            duesOf().claim(first, { token: `${life}/${index}`, untilMs: atMs + 1000 }, atMs),
          ),
        );
      const won = (await claims(nowMs, 'a')).flatMap((claim) => claim ?? []);
      expect(won).toMatchObject([{ dueMs, attempts: 1, postingMs: null, notBeforeMs: nowMs + 1000 }]);
      expect((await claims(nowMs + 999, 'b')).filter(Boolean)).toEqual([]);
      const again = (await claims(nowMs + 1000, 'c')).flatMap((claim) => claim ?? []);
      expect(again).toMatchObject([{ attempts: 2 }]);
    });

    test('an occurrence is marked, finished, released and handed over only by its owner', async () => {
      const { id } = await added();
      const dues = duesOf();
      const claim = async (token: string, atMs: number) =>
        dues.claim(await upcoming(), { token, untilMs: atMs + 1000 }, atMs);
      await claim('a', nowMs);
      await claim('b', nowMs + 1000);
      expect(await dues.renew({ token: 'a', untilMs: dueMs })).toBe(false);
      expect(await dues.markPosting({ token: 'a', untilMs: dueMs }, nowMs)).toBe(false);
      expect(await dues.finish('a', dueMs + 24 * hourMs)).toBe(false);
      expect(await dues.releaseForRetry('a', nowMs)).toBe(false);
      expect(await dues.release('a')).toBe(false);
      expect(await dues.markPosting({ token: 'b', untilMs: dueMs }, nowMs)).toBe(true);
      expect(await dues.release('b')).toBe(true);
      expect(await claim('c', nowMs)).toMatchObject({ attempts: 2, postingMs: nowMs });
      expect(await dues.releaseForRetry('c', nowMs + 500)).toBe(true);
      expect(await upcoming()).toMatchObject({ attempts: 2, notBeforeMs: nowMs + 500 });
      await claim('d', nowMs + 500);
      expect(await dues.finish('d', dueMs + 24 * hourMs)).toBe(true);
      expect(await reportsOf().get(id)).toMatchObject({
        state: { kind: 'active', nextMs: dueMs + 24 * hourMs },
        lastFinishedDueMs: dueMs,
      });
    });

    test('an occurrence that failed often is claimed again, and skipped only by its owner', async () => {
      const { id } = await added();
      const dues = duesOf();
      for (let attempt = 0; attempt < 12; attempt += 1) {
        await dues.claim(await upcoming(), { token: 'a', untilMs: nowMs + 1000 }, nowMs);
        await dues.markPosting({ token: 'a', untilMs: nowMs + 1000 }, nowMs);
        expect(await dues.releaseForRetry('a', nowMs)).toBe(true);
      }
      expect(await upcoming()).toMatchObject({ attempts: 7, postingMs: nowMs });
      await dues.claim(await upcoming(), { token: 'b', untilMs: nowMs + 1000 }, nowMs);
      const nextMs = dueMs + 24 * hourMs;
      expect(await dues.skipClaimed({ token: 'a', dueMs, nextMs })).toBe(false);
      expect(await dues.skipClaimed({ token: 'b', dueMs, nextMs })).toBe(true);
      expect(await reportsOf().get(id)).toMatchObject({
        state: { kind: 'active', nextMs },
        skippedSinceMs: dueMs,
        lastFinishedDueMs: null,
      });
    });

    test('an occurrence is skipped once, unless it is claimed, and the first of several is remembered', async () => {
      const { id } = await added();
      const first = await upcoming();
      const skips = await Promise.all([1, 2, 3].map(() => duesOf().skip(first, dueMs + 24 * hourMs, nowMs)));
      const [second, ...more] = skips.flatMap((skip) => skip ?? []);
      expect(more).toEqual([]);
      if (!second) throw new Error('nothing was passed over');
      await duesOf().claim(second, { token: 'a', untilMs: nowMs + 1000 }, nowMs);
      expect(await duesOf().skip(second, null, nowMs)).toBeUndefined();
      await duesOf().releaseAll();
      expect(await duesOf().skip(second, dueMs + 48 * hourMs, nowMs)).toBeDefined();
      expect((await reportsOf().get(id))?.skippedSinceMs).toBe(dueMs);
    });

    test('a deleted workspace has no report left', async () => {
      await added();
      await reportsOf().deleteWorkspace('T0ACME');
      expect(await reportsOf().list('T0ACME')).toEqual([]);
    });

    test('two replicas post each occurrence once, and so does the remaining one when the other is killed', async () => {
      const startMs = nowMs;
      const world = createSchedulerFixture({
        db: database.db,
        startMs,
        hasReplicas: true,
        maxSleepMs: hourMs,
      });
      const names = ['one', 'two', 'three'];
      for (const name of names) await world.plan(name, daily);
      const [A] = await Promise.all(['A', 'B'].map((owner) => world.startProcess(owner)));
      await world.advanceTo(dueMs + 30 * hourMs);
      expect(world.begun()).toBe(2 * names.length);
      await world.advanceTo(dueMs + 48 * hourMs - 30_000);
      A?.kill();
      await world.advanceTo(dueMs + 80 * hourMs);
      for (const name of names) {
        const posts = world.posts.filter((post) => post.name === name);
        expect(posts.map((post) => post.dueMs)).toEqual([0, 1, 2, 3].map((day) => dueMs + day * 24 * hourMs));
      }
    });
  });
}
