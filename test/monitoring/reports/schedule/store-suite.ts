import { describe, expect, test } from 'vitest';
import { createReportStore } from '../../../../src/monitoring/reports/report-store.ts';
import { createOccurrenceStore } from '../../../../src/monitoring/reports/schedule/occurrence-store.ts';
import { reportJobName } from '../../../../src/monitoring/reports/schedule/report-job-payload.ts';
import { createBaselineStore } from '../../../../src/monitoring/reports/summary/baseline-store.ts';
import type { When } from '../../../../src/time/when.ts';
import { deleteWorkspaceRows } from '../../../../src/workspaces/erasure/delete-rows.ts';
import { type StartDatabase, useTestDatabase } from '../../../db/test-database.ts';
import { createSchedulerFixture } from './scheduler-fixture.ts';

const hourMs = 60 * 60_000;
const nowMs = Date.parse('2026-11-23T08:00Z');
const dueMs = nowMs + hourMs;

const daily: When = { kind: 'day', at: '09:00', zone: 'UTC', quiet: [] };
const alice = { teamId: 'T0ACME', userId: 'U0ALICE' };
const plan = {
  name: 'morning “здесь”',
  channel: 'C0OPS',
  timing: { ...daily, quiet: [{ from: '22:00', to: '07:00', days: ['sat', 'sun'] as const }] },
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
      await deleteWorkspaceRows(database.db, 'T0GLOBEX', { scope: 'installation' });
      expect(await memory.find(id)).toEqual({ untilMs: dueMs, vps });
      await deleteWorkspaceRows(database.db, 'T0ACME', { scope: 'installation' });
      expect(await memory.find(id)).toBeUndefined();
      await memory.save(id, { untilMs: nowMs, vps: {} });
      expect(await memory.find(id)).toBeUndefined();
    });

    test.each(['{"untilMs":', '[]'])(
      'a baseline that cannot be read counts as missing: %s',
      async (baseline) => {
        const memory = createBaselineStore(database.db);
        const report = await createReportStore(database.db).add(alice, plan, nowMs);
        const id = report?.id ?? '';
        await memory.save(id, { untilMs: nowMs, vps: {} });
        expect(await memory.listLatest(alice.teamId)).toHaveLength(1);
        await database.db.updateTable('report_baseline').set({ baseline }).execute();
        expect(await memory.find(id)).toBeUndefined();
        expect(await memory.listLatest(alice.teamId)).toEqual([]);
      },
    );

    const reportsOf = () => createReportStore(database.db);
    const duesOf = () => createOccurrenceStore(database.db, reportJobName);

    async function added(name = plan.name) {
      const report = await reportsOf().add(alice, { ...plan, name }, nowMs);
      if (!report) throw new Error('the name is taken');
      return report;
    }

    async function upcomingOf(id: string) {
      const occurrence = await duesOf().find(id);
      if (!occurrence) throw new Error('nothing is due');
      return occurrence;
    }

    /** Claims the job of a report, as the worker does. */
    const claim = async (id: string, token: string) => {
      const job = { kind: reportJobName, id, team_id: 'T0ACME', user_id: '', payload: '{"dueMs":null}' };
      const times = { due_at: nowMs, claimable_at: nowMs, attempts: 1, revision: 0 };
      await database.db
        .insertInto('job')
        .values({ ...job, ...times, claim_token: token, set_aside_reason: null })
        .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet({ claim_token: token }))
        .execute();
    };

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
      const later = { ...plan, timing: { ...daily, at: '12:00' } };
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
      expect(await duesOf().find(report.id)).toBeUndefined();
      expect(await reportsOf().resume({ ...report, ...plan }, 'U2', nowMs)).toBe(true);
      expect((await reportsOf().get(report.id))?.state).toEqual({ kind: 'active', nextMs: dueMs });
    });

    test('a late report stays late when its content is changed', async () => {
      const report = await added();
      expect(await reportsOf().edit(report, { ...plan, content: 'other' }, dueMs + hourMs)).toBe(true);
      expect((await reportsOf().get(report.id))?.state).toEqual({ kind: 'active', nextMs: dueMs });
    });

    test('if two edits are made at once, one is rejected', async () => {
      const report = await added();
      const edits = ['a', 'b', 'c'].map((content) => reportsOf().edit(report, { ...plan, content }, nowMs));
      expect((await Promise.all(edits)).filter(Boolean)).toHaveLength(1);
    });

    test('an occurrence is finished once, and not after the report was edited, paused or deleted', async () => {
      const { id } = await added();
      const [occurrence, nextMs] = [await upcomingOf(id), dueMs + 24 * hourMs];
      await reportsOf().edit(occurrence.report, plan, nowMs);
      expect(await duesOf().finish(occurrence, nextMs)).toBe(false);
      const edited = await upcomingOf(id);
      const finishes = await Promise.all([1, 2, 3].map(() => duesOf().finish(edited, nextMs)));
      expect(finishes.filter(Boolean)).toHaveLength(1);
      expect(await reportsOf().get(id)).toMatchObject({
        state: { kind: 'active', nextMs },
        lastFinishedDueMs: dueMs,
      });
      const next = await upcomingOf(id);
      await reportsOf().pause(id, { reason: 'person', byUserId: 'U0BOB' }, nowMs);
      expect(await duesOf().finish(next, null)).toBe(false);
      await reportsOf().delete(id);
      expect(await duesOf().skip(next, null)).toBe(false);
    });

    test('an occurrence is skipped once, and the first of several is remembered', async () => {
      const { id } = await added();
      const first = await upcomingOf(id);
      const skips = await Promise.all([1, 2, 3].map(() => duesOf().skip(first, dueMs + 24 * hourMs)));
      expect(skips.filter(Boolean)).toHaveLength(1);
      expect(await duesOf().skip(await upcomingOf(id), dueMs + 48 * hourMs)).toBe(true);
      expect((await reportsOf().get(id))?.skippedSinceMs).toBe(dueMs);
    });

    test('every change of a report reaches its job in the same transaction, and a missing job is found', async () => {
      const changed: string[] = [];
      const store = createReportStore(database.db, async ({ id }) => void changed.push(id));
      const report = await store.add(alice, plan, nowMs);
      if (!report) throw new Error('the name is taken');
      await store.edit(report, plan, nowMs);
      await store.pause(report.id, { reason: 'person', byUserId: 'U0BOB' }, nowMs);
      await store.resume(report, report.createdBy, nowMs);
      expect(await duesOf().listWithoutJob()).toEqual([{ id: report.id, teamId: 'T0ACME' }]);
      await claim(report.id, 'a');
      expect(await duesOf().listWithoutJob()).toEqual([]);
      await store.delete(report.id);
      expect(changed).toEqual(Array(5).fill(report.id));
      const failing = createReportStore(database.db, () => Promise.reject(new Error('no')));
      await expect(failing.add(alice, plan, nowMs)).rejects.toThrow('no');
      expect(await store.list('T0ACME')).toEqual([]);
    });

    test('a deleted workspace has no report left', async () => {
      await added();
      await deleteWorkspaceRows(database.db, 'T0ACME', { scope: 'installation' });
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
      const [A] = await Promise.all([1, 2].map(() => world.startProcess()));
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
