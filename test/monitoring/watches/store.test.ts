import { describe, expect, test } from 'vitest';
import { noResponse } from '../../../src/monitoring/watches/evaluation/alert.ts';
import { okAlertState } from '../../../src/monitoring/watches/evaluation/vps-alert-state.ts';
import { type AlertState, initialAlertState, type WatchPlan } from '../../../src/monitoring/watches/watch.ts';
import { createWatchStore } from '../../../src/monitoring/watches/watch-store.ts';
import { databases, useTestDatabase } from '../../db/test-database.ts';

const nowMs = Date.parse('2026-11-23T08:00Z');
const minuteMs = 60_000;

const alice = { teamId: 'T0ACME', userId: 'U0ALICE' };
const plan: WatchPlan = {
  name: 'CPU “здесь”',
  channel: 'C0OPS',
  vps: 'VPS-100*',
  condition: { measure: 'cpu', is: 'over', figure: 90, forMs: 10 * minuteMs },
};
const member = {
  sinceMs: nowMs,
  endedMs: null,
  ending: null,
  worst: 97.5,
  latest: 93,
  state: 'running',
  unreadMs: null,
  mutedUntilMs: null,
};
const alertState: AlertState = {
  vpsStates: { 'VPS-10004': { ...okAlertState, sinceMs: nowMs, isAlerting: true, worst: 97.5 } },
  alert: {
    beganMs: nowMs,
    members: { 'VPS-10004': member },
    joined: [],
    isStale: true,
    shownMs: null,
    response: noResponse,
  },
};

describe.each(databases)('watches in $name', ({ start }) => {
  const database = useTestDatabase(start);

  const watchesOf = () => createWatchStore(database.db);

  async function added(more: Partial<WatchPlan> = {}, asker = alice) {
    return watchesOf().add(asker, { ...plan, ...more }, nowMs);
  }

  test('a watch is read as it was stored, with all its state', async () => {
    const watch = await added();
    expect(watch).toMatchObject({
      ...plan,
      teamId: 'T0ACME',
      createdBy: 'U0ALICE',
      alertState: initialAlertState,
    });
    expect(await watchesOf().list('T0ACME')).toEqual([watch]);
    expect(await watchesOf().list('T0GLOBEX')).toEqual([]);
    const saved = await watchesOf().saveAlertState(watch, alertState);
    expect(saved?.alertState).toEqual(alertState);
    expect(await watchesOf().list('T0ACME')).toEqual([saved]);
  });

  test('an edit based on an older revision is rejected', async () => {
    const watch = await added();
    const all = await Promise.all(
      Array.from({ length: 5 }, () => watchesOf().saveAlertState(watch, alertState)),
    );
    expect(all.filter((one) => one !== undefined)).toHaveLength(1);
    const [saved] = await watchesOf().list('T0ACME');
    const paused = saved && (await watchesOf().pause(saved, { reason: 'person', byUserId: 'U0BOB' }, nowMs));
    expect(saved && (await watchesOf().saveAlertState(saved, alertState))).toBeUndefined();
    expect(paused).toMatchObject({
      state: { kind: 'paused', reason: 'person', byUserId: 'U0BOB' },
      alertState: initialAlertState,
    });
    expect(paused && (await watchesOf().resume(paused, 'U2', nowMs))).toMatchObject({
      createdBy: 'U2',
      state: { kind: 'active' },
    });
    expect(paused && (await watchesOf().delete(paused, { byUserId: 'U0BOB' }, nowMs))).toBeUndefined();
  });

  test('workspaces with an active watch and no job of a kind are listed once', async () => {
    const watch = await added({ name: 'A' });
    await added({ name: 'B' });
    const paused = await added({}, { teamId: 'T0GLOBEX', userId: 'U0GWEN' });
    await watchesOf().pause(paused, { reason: 'person', byUserId: 'U0GWEN' }, nowMs);
    expect(await watchesOf().listTeamsWithoutJob('kind')).toEqual(['T0ACME']);
    await watchesOf().delete(watch, { byUserId: 'U0BOB' }, nowMs);
    expect(await watchesOf().listTeamsWithoutJob('kind')).toEqual(['T0ACME']);
    const claim = { claim_token: null, attempts: 0, revision: 0, dead_letter_reason: null };
    const times = { due_at: nowMs, claimable_at: nowMs };
    const job = { kind: 'kind', id: 'T0ACME', team_id: 'T0ACME', user_id: '', payload: '{}' };
    await database.db
      .insertInto('job')
      .values({ ...job, ...times, ...claim })
      .execute();
    expect(await watchesOf().listTeamsWithoutJob('kind')).toEqual([]);
  });

  test('a paused watch is not active, nor is that of another workspace', async () => {
    const watch = await added();
    expect(await watchesOf().hasActive('T0ACME')).toBe(true);
    expect(await watchesOf().hasActive('T0GLOBEX')).toBe(false);
    await watchesOf().pause(watch, { reason: 'person', byUserId: 'U0BOB' }, nowMs);
    expect(await watchesOf().hasActive('T0ACME')).toBe(false);
  });
});
