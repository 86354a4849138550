import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../../src/db/engines/database.ts';
import { createLocalDatabaseClock } from '../../../../src/jobs/database-clock.ts';
import { createJobs } from '../../../../src/jobs/jobs.ts';
import type { SendResult } from '../../../../src/messages/message.ts';
import { createOutbox } from '../../../../src/messages/outbox.ts';
import { createPostOutcome, outcomeContent } from '../../../../src/messages/post-outcome.ts';
import { createTellChannels } from '../../../../src/monitoring/shared/channel-publisher.ts';
import { createAlertNotifier } from '../../../../src/monitoring/watches/delivery/alert-notifier.ts';
import {
  createCloseAlert,
  createWatchPauses,
} from '../../../../src/monitoring/watches/delivery/close-alert.ts';
import { createEscalationJob } from '../../../../src/monitoring/watches/delivery/escalation-job.ts';
import { createUnreadNotifier } from '../../../../src/monitoring/watches/delivery/unread-notices.ts';
import { advanceAlert } from '../../../../src/monitoring/watches/evaluation/alert.ts';
import { okAlertState } from '../../../../src/monitoring/watches/evaluation/vps-alert-state.ts';
import { createWatchVerbs } from '../../../../src/monitoring/watches/operations/watch-verbs.ts';
import { createWatchArguments } from '../../../../src/monitoring/watches/planning/watch-arguments.ts';
import type { Watch } from '../../../../src/monitoring/watches/watch.ts';
import { createWatchStore } from '../../../../src/monitoring/watches/watch-store.ts';
import type { Outcome } from '../../../../src/operations/define/outcome.ts';
import { createRunStore } from '../../../../src/runs/store/run-store.ts';
import { createManualClock } from '../../../jobs/clocks/manual-clock.ts';
import { settle } from '../../../jobs/jobs-fixture.ts';
import { testVault } from '../../../runs/test-vault.ts';

const log = { warn: vi.fn(), error: vi.fn(), info: vi.fn(), debug: vi.fn() };
const nowMs = Date.parse('2026-11-23T08:00Z');
const minuteMs = 60_000;

/** A message in Slack, as the outbox has posted and edited it. */
interface Posted {
  readonly kind: string;
  readonly channel: string;
  readonly threadTs: string | null;
  readonly ping: string | undefined;
  readonly shown: Outcome[];
}

const breached = {
  ...okAlertState,
  isAlerting: true,
  sinceMs: nowMs - 12 * minuteMs,
  worst: 97,
  latest: 93,
};
const recovered = { ...okAlertState, backMs: nowMs };
const begins = (vps: string) => ({ vps, before: okAlertState, after: breached });
const ends = (vps: string) => ({ vps, before: breached, after: recovered });

/**
 * Opens a database for each test. The returned function stores a watch with alerting VPS, and returns it
 * with what it shows by the outbox.
 */
function useAlertNotifier() {
  let database: OpenDatabase;
  const stops: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    database = await openDatabase('sqlite::memory:', { log });
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
    await database.close();
  });

  return async function setUp(vps: readonly string[] = ['VPS-10004']) {
    const { db } = database;
    const clock = createManualClock(nowMs);
    const jobs = createJobs({ db, databaseClock: createLocalDatabaseClock(clock), hasReplicas: false, log });
    stops.push(() => jobs.stop(0));
    const outbox = createOutbox({ db, jobs, log });
    const posted: Posted[] = [];
    const unreachable = new Set<string>();
    const edit = (ts: string, content: unknown): SendResult => {
      posted[Number(ts)]?.shown.push(outcomeContent.parse(content).outcome);
      return { kind: 'sent', ref: { channel: 'C0OPS', ts } };
    };
    outbox.connect({
      transport: {
        async post({ kind, channel, threadTs, content }) {
          if (unreachable.has(channel)) return { kind: 'unreachable', reason: 'is_archived' };
          const { ping, outcome } = outcomeContent.parse(content);
          posted.push({ kind, channel, threadTs, ping, shown: [outcome] });
          return { kind: 'sent', ref: { channel, ts: String(posted.length - 1) } };
        },
        edit: async ({ content }, { ts }) => edit(ts, content),
        remove: async () => ({ kind: 'empty' }),
        find: async () => ({ kind: 'notFound' }),
      },
      listAdmins: async () => [],
    });
    const store = createWatchStore(db);
    const hooks = { label: async () => {} };
    const parts = {
      store,
      outbox,
      recipients: { findProblem: async () => undefined },
      async labelVpsFor() {
        await hooks.label();
        return (text: string) => text;
      },
      findChangeFacts: async () => [],
    };
    const { pauseIn } = createWatchPauses(store, outbox, {
      runs: createRunStore(db, testVault),
      listAdmins: async () => [],
      clock,
    });
    const notifyAlert = createAlertNotifier({
      ...parts,
      pauseIn,
      scheduleEscalation: (...alert) => escalation.schedule(...alert),
      schedulePicture: async () => {},
      clock,
    });
    const escalation = createEscalationJob({
      ...parts,
      jobs,
      isActive: async () => true,
      isSilentAbout: async () => false,
      refresh: notifyAlert.refresh,
    });
    await jobs.start();
    const condition = { measure: 'cpu', is: 'over', figure: 90, forMs: 10 * minuteMs } as const;
    const plan = {
      ...{ name: 'CPU', channel: 'C0OPS', vps: '*', condition, notify: 'U0BOB' },
      escalation: { afterMs: 5 * minuteMs, to: 'U0CAROL' },
    };
    const set = await store.add({ teamId: 'T0ACME', userId: 'U0ALICE' }, plan, nowMs);
    if (!set) throw new Error('the name is taken');

    const current = async (): Promise<Watch> => {
      const [watch] = await store.list('T0ACME');
      if (!watch) throw new Error('the watch is gone');
      return watch;
    };
    const step = async (steps: Parameters<typeof advanceAlert>[1]) => {
      const watch = await current();
      const alert = advanceAlert(watch.alertState.alert ?? undefined, steps, clock.now()) ?? null;
      await store.saveAlertState(watch, { ...watch.alertState, alert });
    };
    await step(vps.map(begins));
    /** Lets time pass, and waits until everything that is due was sent. */
    async function advance(minutes = 0) {
      await clock.advanceTo(clock.now() + minutes * minuteMs, settle);
      for (let turn = 0; turn < 20; turn += 1) await settle();
    }
    const notifyOf = async (...watches: readonly Watch[]) => {
      await Promise.all(watches.map(notifyAlert));
      await advance();
    };
    return {
      db,
      outbox,
      notifier: notifyAlert,
      posted,
      unreachable,
      hooks,
      store,
      current,
      step,
      advance,
      notifyOf,
      notifyUnread: createUnreadNotifier({
        store,
        outbox,
        pauseIn,
        labelVpsFor: parts.labelVpsFor,
        clock,
      }),
      notify: async () => notifyOf(await current()),
    };
  };
}

const setUp = useAlertNotifier();

describe('the message of a watch', () => {
  test('is posted once, edited when it changes, closed, and forgotten', async () => {
    const { notify, step, posted, current } = await setUp();
    await notify();
    await notify();
    await step([begins('VPS-10007')]);
    await notify();
    await step([ends('VPS-10004'), ends('VPS-10007')]);
    await notify();
    const [alert, joined, ...others] = posted;
    expect(alert).toMatchObject({ channel: 'C0OPS', threadTs: null, ping: 'U0BOB' });
    expect(alert?.shown.map(({ title }) => title)).toEqual([
      '⚠️ VPS-10004: CPU 93% for 12 min (over 90%), peak 97%',
      '⚠️ 2 VPS with CPU over 90%: VPS-10004 93% for 12 min and VPS-10007 93%',
      '✅ 2 VPS: CPU over 90% ended after 12 min, peak 97%',
    ]);
    expect(joined).toMatchObject({
      threadTs: '0',
      shown: [{ title: '⚠️ VPS-10007: CPU 93% for 12 min (over 90%), peak 97%' }],
    });
    expect(others).toEqual([]);
    expect((await current()).alertState.alert).toBeNull();
  });

  test('says what is recovering, and not that its figure is beyond the threshold', async () => {
    const { notify, step, posted } = await setUp(['VPS-10004', 'VPS-10007']);
    await notify();
    const near = (vps: string) => ({ vps, before: breached, after: { ...breached, latest: 20 } });
    await step([near('VPS-10004'), { ...begins('VPS-10009') }]);
    await notify();
    expect(posted[0]?.shown.at(-1)?.title).toBe(
      '⚠️ 3 VPS with CPU over 90%: VPS-10007 93% for 12 min, VPS-10009 93% and VPS-10004 now 20%',
    );
    await step([ends('VPS-10007'), ends('VPS-10009')]);
    await notify();
    expect(posted[0]?.shown.at(-1)?.title).toBe('⚠️ VPS-10004: CPU over 90% for 12 min, now 20%, peak 97%');
  });

  test('does not go back to a state from before a person acknowledged the alert', async () => {
    const { notify, notifyOf, current, store, posted } = await setUp();
    await notify();
    const outdated = await current();
    const acknowledged = { userId: 'U0BOB', atMs: nowMs };
    await store.changeAlert(outdated.id, nowMs, (alert) => ({
      ...alert,
      isStale: true,
      response: { ...alert.response, acknowledged },
    }));
    await notify();
    await notifyOf({
      ...outdated,
      alertState: {
        ...outdated.alertState,
        alert: outdated.alertState.alert && { ...outdated.alertState.alert, isStale: true },
      },
    });
    expect(posted).toHaveLength(1);
    expect(posted[0]?.shown).toHaveLength(2);
    expect(posted[0]?.shown.at(-1)?.facts).toContainEqual({
      label: 'Acknowledged by',
      value: { kind: 'person', person: 'U0BOB' },
    });
  });

  test('shows what another process has stored meanwhile', async () => {
    const { notify, notifier, advance, current, store, posted } = await setUp();
    await notify();
    const outdated = await current();
    const acknowledged = { userId: 'U0BOB', atMs: nowMs };
    await store.changeAlert(outdated.id, nowMs, (alert) => ({
      ...alert,
      response: { ...alert.response, acknowledged },
    }));
    await notifier.refresh(outdated);
    await advance();
    expect(posted[0]?.shown.at(-1)?.facts).toContainEqual({
      label: 'Acknowledged by',
      value: { kind: 'person', person: 'U0BOB' },
    });
  });

  test('is posted later if it could not be stored with the state of the alert', async () => {
    const { db, notify, posted } = await setUp();
    await sql`create trigger full before insert on message begin select raise(abort, 'the disk is full'); end`.execute(
      db,
    );
    await expect(notify()).rejects.toThrow('the disk is full');
    await sql`drop trigger full`.execute(db);
    await notify();
    expect(posted).toHaveLength(1);
  });

  test('claims no more than could be read', async () => {
    const { notify, step, advance, posted } = await setUp();
    await notify();
    await advance(40);
    await step([{ vps: 'VPS-10004', before: breached, after: { ...breached, unreadMs: nowMs + minuteMs } }]);
    await notify();
    const shown = posted[0]?.shown.at(-1);
    expect(shown?.title).toBe('⚠️ VPS-10004: CPU 93% for 13 min (over 90%), peak 97%');
    expect(shown?.notes?.join(' ')).toContain(
      "VPS-10004 couldn't be read for 39 min, so the current state is unknown.",
    );
  });

  test('says that a VPS is off', async () => {
    const { notify, step, advance, posted } = await setUp();
    await notify();
    await advance(40);
    const after = { ...breached, unreadMs: nowMs + minuteMs, unreadReason: 'off' } as const;
    await step([{ vps: 'VPS-10004', before: breached, after }]);
    await notify();
    expect(posted[0]?.shown.at(-1)?.notes?.join(' ')).toContain(
      'VPS-10004: off for 39 min, so there are no figures.',
    );
  });

  test('is posted by one of two processes that execute the same cycle', async () => {
    const { notifyOf, current, posted } = await setUp();
    const watch = await current();
    await notifyOf(watch, watch, watch);
    expect(posted).toHaveLength(1);
    expect(posted[0]?.shown).toHaveLength(1);
  });

  test.each([
    { gone: ['C0OPS'], to: 'U0BOB', fact: 'Paged' },
    { gone: ['C0OPS', 'U0BOB'], to: 'U0CAROL', fact: 'Could not page' },
  ])('goes to $to if $gone are gone, and says "$fact" of U0BOB', async ({ gone, to, fact }) => {
    const { notify, advance, unreachable, posted, current } = await setUp();
    for (const place of gone) unreachable.add(place);
    await notify();
    expect(posted).toMatchObject([
      { channel: to, shown: [{ title: '⚠️ VPS-10004: CPU 93% for 12 min (over 90%), peak 97%' }] },
    ]);
    expect((await current()).state.kind).toBe('active');
    await advance(11);
    await notify();
    expect(posted[0]?.shown.at(-1)?.facts).toContainEqual({
      label: fact,
      value: { kind: 'person', person: 'U0BOB' },
    });
  });

  test('pauses the watch if it reaches nobody', async () => {
    const { notify, unreachable, posted, current } = await setUp();
    for (const place of ['C0OPS', 'U0BOB', 'U0CAROL', 'U0ALICE']) unreachable.add(place);
    await notify();
    expect(posted).toEqual([]);
    expect((await current()).state).toMatchObject({ kind: 'paused', reason: 'channel', byUserId: null });
  });
});

test('a watch whose channel cannot be told what it cannot read is paused, and its alert closed', async () => {
  const { current, store, advance, notify, notifyUnread, unreachable, posted } = await setUp();
  await notify();
  unreachable.add('C0OPS');
  const watch = await current();
  const unread = { ...breached, unreadMs: nowMs - 20 * minuteMs };
  const vpsStates = { 'VPS-10004': unread };
  const saved = await store.saveAlertState(watch, { ...watch.alertState, vpsStates });
  if (!saved) throw new Error('the watch has changed');
  await notifyUnread(saved);
  expect((await current()).alertState.vpsStates).toMatchObject({ 'VPS-10004': { unreadToldMs: nowMs } });
  await advance();
  expect((await current()).state).toMatchObject({ kind: 'paused', reason: 'channel', byUserId: null });
  expect(posted[0]?.shown.at(-1)).toMatchObject({
    title: 'CPU: the watch was paused',
    notes: ['At the last check: ⚠️ VPS-10004: CPU 93% for 12 min (over 90%), peak 97%.'],
  });
});

test('a watch that has another channel by now is not paused because of its former one', async () => {
  const { current, store, advance, notifyUnread, unreachable } = await setUp();
  unreachable.add('C0OPS');
  const vpsStates = { 'VPS-10004': { ...breached, unreadMs: nowMs - 20 * minuteMs } };
  const saved = await store.saveAlertState(await current(), { vpsStates, alert: null });
  if (!saved) throw new Error('the watch has changed');
  const told = await notifyUnread(saved);
  if (!told || !(await store.edit(told, { ...told, channel: 'C0NEW' }, nowMs)))
    throw new Error('the watch has changed');
  await advance();
  expect(await current()).toMatchObject({ channel: 'C0NEW', state: { kind: 'active' } });
});

describe('an escalation', () => {
  test('is sent in the thread although its message could not be built at first', async () => {
    const { notify, hooks, advance, posted, current } = await setUp();
    await notify();
    let failures = 1;
    hooks.label = async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('The call failed.');
    };
    await advance(6);
    expect(posted).toMatchObject([{ kind: 'alert' }, { kind: 'escalation', threadTs: '0', ping: 'U0CAROL' }]);
    expect((await current()).alertState.alert?.response.escalation).toBe('sent');
  });

  test('reaches the person if the channel was archived after the alert was posted', async () => {
    const { notify, unreachable, advance, posted } = await setUp();
    await notify();
    unreachable.add('C0OPS');
    await advance(6);
    expect(posted).toMatchObject([{ channel: 'C0OPS' }, { kind: 'escalation', channel: 'U0CAROL' }]);
  });

  test('is shown as failed if it reaches nobody', async () => {
    const { notify, unreachable, advance, current } = await setUp();
    await notify();
    for (const place of ['C0OPS', 'U0CAROL', 'U0ALICE']) unreachable.add(place);
    await advance(6);
    expect((await current()).alertState.alert?.response.escalation).toBe('failed');
  });
});

test('a watch is paused and its alert closed together, or not at all', async () => {
  const { db, outbox, posted, store, current, notify, advance } = await setUp();
  await notify();
  const verbs = createWatchVerbs({
    ...{ store, outbox, closeAlert: createCloseAlert(outbox), now: () => nowMs },
    tellChannels: createTellChannels(createPostOutcome(outbox)),
    watches: { name: 'watches' },
    fields: createWatchArguments({ name: 'people' } as never),
  } as never);
  const operation = verbs.find(({ name }) => name === 'watch pause');
  if (operation?.kind !== 'local') throw new Error('there is no such operation');
  const pause = async () =>
    operation.run({ actor: { teamId: 'T0ACME', userId: 'U0BOB' } } as never, { name: 'CPU' });

  // Stands for a process that ends between the two changes.
  await sql`create trigger gone before update on message begin select raise(abort, 'gone'); end`.execute(db);
  await expect(pause()).rejects.toThrow('gone');
  expect(await current()).toMatchObject({ state: { kind: 'active' }, alertState: { alert: {} } });
  await sql`drop trigger gone`.execute(db);
  await pause();
  await advance();
  expect(await current()).toMatchObject({ state: { kind: 'paused' }, alertState: { alert: null } });
  expect(posted[0]?.shown.at(-1)?.title).toContain('the watch was paused');
});
