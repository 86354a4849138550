import { describe, expect, test } from 'vitest';
import { createReportStore, type Report } from '../../../../src/monitoring/reports/report.ts';
import { createBaselineStore } from '../../../../src/monitoring/reports/summary/baseline.ts';
import { createWatchStore } from '../../../../src/monitoring/watches/watch-store.ts';
import { createPlanPurge } from '../../../../src/plans/plan-purge.ts';
import type { When } from '../../../../src/time/when.ts';
import { deleteWorkspaceRows } from '../../../../src/workspaces/erasure/delete-rows.ts';
import { databases, useTestDatabase } from '../../../db/test-database.ts';
import { createSchedulerFixture } from './scheduler-fixture.ts';

const hourMs = 60 * 60_000;
const nowMs = Date.parse('2026-11-23T08:00Z');
const dueMs = nowMs + hourMs;

const daily: When = { kind: 'day', at: '09:00', zone: 'UTC', quiet: [] };
const cpuOver90 = { measure: 'cpu', is: 'over', figure: 90, forMs: hourMs } as const;
const by = { byUserId: 'U0BOB' };
const alice = { teamId: 'T0ACME', userId: 'U0ALICE' };
const plan = {
  name: 'morning “здесь”',
  channel: 'C0OPS',
  timing: { ...daily, quiet: [{ from: '22:00', to: '07:00', days: ['sat', 'sun'] as const }] },
  content: { vps: ['VPS-1*'], thresholds: { cpu: 0.9 } },
};

describe.each(databases)('reports in $name', ({ start }) => {
  const database = useTestDatabase(start);

  test('the baseline of a report is replaced each time, and deleted with its workspace', async () => {
    const memory = createBaselineStore(database.db);
    const report = await createReportStore(database.db).add(alice, plan, nowMs);
    const { id } = report;
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
      const { id } = report;
      await memory.save(id, { untilMs: nowMs, vps: {} });
      expect(await memory.listLatest(alice.teamId)).toHaveLength(1);
      await database.db.updateTable('report_baseline').set({ baseline }).execute();
      expect(await memory.find(id)).toBeUndefined();
      expect(await memory.listLatest(alice.teamId)).toEqual([]);
    },
  );

  const reportsOf = () => createReportStore(database.db);

  /** Finishes an occurrence in the process whose claim this is. Returns whether that was done. */
  const finish = async (report: Report, nextMs: number | null, token = 'a') =>
    (await reportsOf().finish(report, token, { nextMs, progress: { lastFinishedDueMs: dueMs } }, nowMs)) !==
    undefined;

  async function added(name = plan.name) {
    return reportsOf().add(alice, { ...plan, name }, nowMs);
  }

  async function reload({ id }: Pick<Report, 'id'>) {
    const report = await reportsOf().get(id);
    if (!report) throw new Error('the report is gone');
    return report;
  }

  /** Claims the job of a report, as the worker does. */
  const claim = async (id: string, token: string) => {
    const job = { kind: 'report', id, team_id: 'T0ACME', user_id: '', payload: '{}' };
    const times = { due_at: nowMs, claimable_at: nowMs, attempts: 1, revision: 0 };
    await database.db
      .insertInto('job')
      .values({ ...job, ...times, claim_token: token, dead_letter_reason: null })
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
      state: { kind: 'active' },
      nextMs: dueMs,
      skippedSinceMs: null,
    });
    expect(await reportsOf().get(report.id)).toEqual(report);
    expect(await reportsOf().find('T0ACME', plan.name)).toEqual(report);
    expect(await reportsOf().find('T0GLOBEX', plan.name)).toBeUndefined();
    expect(await reportsOf().list('T0ACME')).toEqual([report]);
  });

  test('a name belongs to one plan of a workspace until that is deleted', async () => {
    const report = await added();
    const taken = `There is already a report named "${plan.name}"`;
    await expect(reportsOf().add(alice, plan, nowMs)).rejects.toThrow(taken);
    const watch = { name: plan.name, channel: 'C0OPS', vps: '*', condition: cpuOver90 };
    await expect(createWatchStore(database.db).add(alice, watch, nowMs)).rejects.toThrow(taken);
    await reportsOf().add({ ...alice, teamId: 'T0GLOBEX' }, plan, nowMs);
    const other = await added('evening');
    await expect(reportsOf().edit(other, plan, nowMs)).rejects.toThrow(taken);
    expect(await reportsOf().delete(report, by, nowMs)).toBeDefined();
    expect(await reportsOf().delete(report, by, nowMs)).toBeUndefined();
    expect((await reportsOf().get(report.id))?.state).toEqual({ kind: 'deleted' });
    expect(await reportsOf().edit(other, plan, nowMs)).toMatchObject({ name: plan.name });
    await expect(reportsOf().add(alice, plan, nowMs)).rejects.toThrow(taken);
  });

  test('a plan of a kind that this version does not know is left alone, and keeps its name', async () => {
    const { id } = await added('of a later version');
    await database.db.updateTable('plan').set({ kind: 'forecast' }).where('id', '=', id).execute();
    await expect(reportsOf().add(alice, { ...plan, name: 'of a later version' }, nowMs)).rejects.toThrow(
      'There is already a plan made by a newer version named "of a later version"',
    );
    expect(await reportsOf().list('T0ACME')).toEqual([]);
    expect(await reportsOf().listWithoutJob()).toEqual([]);
    expect(await reportsOf().get(id)).toBeUndefined();
    await createPlanPurge(database.db).run({
      clock: { now: () => nowMs + 400 * 24 * hourMs, setTimer: () => () => {} },
      signal: new AbortController().signal,
    });
    expect(await database.db.selectFrom('plan').select('kind').execute()).toEqual([{ kind: 'forecast' }]);
  });

  test('a rescheduled report waits for its new time, unless it is paused', async () => {
    const report = await added();
    const later = { ...plan, timing: { ...daily, at: '12:00' } };
    await reportsOf().edit(report, later, nowMs);
    const edited = await reload(report);
    expect(edited).toMatchObject({ state: { kind: 'active' }, nextMs: nowMs + 4 * hourMs });
    await reportsOf().pause(edited, { reason: 'channel', byUserId: null }, nowMs);
    expect(await reportsOf().edit(edited, plan, nowMs)).toBeUndefined();
    expect(await reportsOf().edit(await reload(report), plan, nowMs)).toBeDefined();
    const paused = await reload(report);
    expect(paused.state).toEqual({ kind: 'paused', reason: 'channel', byUserId: null, sinceMs: nowMs });
    expect(await reportsOf().resume(paused, 'U2', nowMs)).toMatchObject({
      state: { kind: 'active' },
      nextMs: dueMs,
      createdBy: 'U2',
    });
  });

  test('a late report stays late when its content is changed', async () => {
    const report = await added();
    const edited = await reportsOf().edit(report, { ...plan, content: 'other' }, dueMs + hourMs);
    expect(edited).toMatchObject({ nextMs: dueMs, content: 'other' });
  });

  test('if two edits are made at once, one is rejected', async () => {
    const report = await added();
    const edits = ['a', 'b', 'c'].map((content) => reportsOf().edit(report, { ...plan, content }, nowMs));
    expect((await Promise.all(edits)).filter(Boolean)).toHaveLength(1);
  });

  test('an occurrence is finished once, and not after the report was edited, paused or deleted', async () => {
    const { id } = await added();
    await claim(id, 'a');
    const [report, nextMs] = [await reload({ id }), dueMs + 24 * hourMs];
    await reportsOf().edit(report, plan, nowMs);
    expect(await finish(report, nextMs)).toBe(false);
    const edited = await reload({ id });
    expect(await finish(edited, nextMs, 'an earlier claim')).toBe(false);
    const finishes = await Promise.all([1, 2, 3].map(() => finish(edited, nextMs)));
    expect(finishes.filter(Boolean)).toHaveLength(1);
    expect(await reportsOf().get(id)).toMatchObject({
      state: { kind: 'active' },
      nextMs,
      lastFinishedDueMs: dueMs,
    });
    const next = await reload({ id });
    const paused = await reportsOf().pause(next, { reason: 'person', byUserId: 'U0BOB' }, nowMs);
    expect(await finish(next, null)).toBe(false);
    if (paused) await reportsOf().delete(paused, by, nowMs);
  });

  test('a report without a further time is done, and active again if its time changes', async () => {
    const timing: When = { kind: 'once', atMs: dueMs, zone: 'UTC' };
    const { id } = await reportsOf().add(alice, { ...plan, timing }, nowMs);
    await claim(id, 'a');
    expect(await finish(await reload({ id }), null)).toBe(true);
    const done = await reload({ id });
    expect(done).toMatchObject({ state: { kind: 'ended' }, nextMs: null, lastFinishedDueMs: dueMs });
    expect(await reportsOf().listWithoutJob()).toEqual([]);
    const later = { ...plan, timing: { ...timing, atMs: dueMs + hourMs } };
    const again = await reportsOf().edit(done, later, nowMs);
    expect(again).toMatchObject({ state: { kind: 'active' }, nextMs: dueMs + hourMs });
  });

  test('a report that is done gives up its name', async () => {
    const { id } = await reportsOf().add(
      alice,
      { ...plan, timing: { kind: 'once', atMs: dueMs, zone: 'UTC' } },
      nowMs,
    );
    await claim(id, 'a');
    await finish(await reload({ id }), null);
    const other = await added('other');
    expect(await reportsOf().listTakenNames(alice.teamId)).toMatchObject([{ name: 'other' }]);
    await reportsOf().edit(other, { ...plan, name: 'another' }, nowMs);
    expect(await reportsOf().edit(other, plan, nowMs)).toBeUndefined();
    expect(await reload({ id })).toMatchObject({ state: { kind: 'ended' } });
    expect(await reportsOf().edit(await reload(other), plan, nowMs)).toMatchObject({ name: plan.name });
    expect(await reportsOf().list(alice.teamId)).toHaveLength(1);
  });

  test('of two reports that get one name at once, the second is told that it is in use', async () => {
    const both = [await added('a'), await added('b')];
    const edits = await Promise.allSettled(both.map((one) => reportsOf().edit(one, plan, nowMs)));
    expect(edits.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const rejected = edits.find((edit) => edit.status === 'rejected');
    expect(rejected?.reason).toMatchObject({
      code: 'input_invalid',
      message: expect.stringContaining('There is already a report named'),
    });
  });

  test('every change of a report reaches its job in the same transaction, and a missing job is found', async () => {
    const changed: string[] = [];
    const store = createReportStore(database.db, {
      queue: { schedule: async ({ id }) => void changed.push(id), wake() {} },
    });
    const report = await store.add(alice, plan, nowMs);
    await store.edit(report, plan, nowMs);
    await store.pause(await reload(report), { reason: 'person', byUserId: 'U0BOB' }, nowMs);
    await store.resume(await reload(report), report.createdBy, nowMs);
    expect(await reportsOf().listWithoutJob()).toEqual([{ id: report.id, teamId: 'T0ACME' }]);
    await claim(report.id, 'a');
    expect(await reportsOf().listWithoutJob()).toEqual([]);
    await store.delete(await reload(report), by, nowMs);
    expect(changed).toEqual(Array(5).fill(report.id));
    const failing = createReportStore(database.db, {
      queue: { schedule: () => Promise.reject(new Error('no')), wake() {} },
    });
    await expect(failing.add(alice, plan, nowMs)).rejects.toThrow('no');
    expect(await store.list('T0ACME')).toEqual([]);
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
