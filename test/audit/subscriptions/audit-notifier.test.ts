import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AuditNotification } from '../../../src/audit/subscriptions/audit-notification.ts';
import { createAuditNotifier, type PublishResult } from '../../../src/audit/subscriptions/audit-notifier.ts';
import { createAuditSubscriptionStore } from '../../../src/audit/subscriptions/audit-subscription-store.ts';
import { type OpenDatabase, openDatabase } from '../../../src/db/engines/database.ts';
import { createLocalDatabaseClock } from '../../../src/jobs/database-clock.ts';
import { createJobs } from '../../../src/jobs/jobs.ts';
import { createRunStore } from '../../../src/runs/store/run-store.ts';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { settle } from '../../jobs/jobs-fixture.ts';
import { runOnce } from '../../jobs/run-once.ts';
import { testVault } from '../../runs/test-vault.ts';
import { catalogue } from '../audit-fixture.ts';
import { createDenialJson, insertRuns, listRunRows } from '../insert-runs.ts';

const delivered = { kind: 'delivered' } as const;
const log = { error: vi.fn(), warn: vi.fn() };
const subscription = { teamId: 'T1', channel: 'C0LOG', createdBy: 'U1', createdMs: 100 };

let database: OpenDatabase;
let clock: ManualClock;

beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
  clock = createManualClock(1_000);
  await createAuditSubscriptionStore(database.db).save(subscription);
});
afterEach(() => database.close());

/** A replica with the messages it posted; `answers` are Slack's answers to its posts, in order. */
function replica(answers: (PublishResult | Error)[] = []) {
  const messages: string[][] = [];
  const directMessages: unknown[] = [];
  const kind = createAuditNotifier({
    subscriptions: createAuditSubscriptionStore(database.db),
    runs: createRunStore(database.db, testVault),
    catalogue,
    findDisplayName: async (_, id) => id,
    labelVpsFor: async () => (text) => text,
    publisher: {
      async postNotifications(_, channel, notifications: readonly AuditNotification[]) {
        const answer = answers.shift() ?? delivered;
        if (answer instanceof Error) throw answer;
        if (answer.kind === 'delivered')
          messages.push([channel, ...notifications.map(({ action }) => action)]);
        return answer;
      },
      postIntro: async () => delivered,
      async sendDirectMessage(...message) {
        directMessages.push(message);
      },
    },
    log,
    clock,
  });
  return { kind, notifySubscriptions: () => runOnce(kind, {}, clock), messages, directMessages };
}

/** Starts a process for each replica. Returns a function that stops them. */
async function startJobs(...replicas: readonly ReturnType<typeof replica>[]) {
  const started = replicas.map(({ kind }) => {
    const databaseClock = createLocalDatabaseClock(clock);
    const jobs = createJobs({ db: database.db, databaseClock, hasReplicas: true, log });
    jobs.define(kind);
    return jobs;
  });
  await Promise.all(started.map((jobs) => jobs.start()));
  return () => Promise.all(started.map((jobs) => jobs.stop(1_000)));
}

const insert = (...runs: Parameters<typeof insertRuns>[1]) => insertRuns(database.db, runs);
const listing = { log_kind: 'reads' as const, operation: 'list', input: '{}', target: null };

describe('a channel that is subscribed to the activity log', () => {
  test('gets notable runs in one message, once, from one replica', async () => {
    await insert(
      { id: 'a', settled_at: 200 },
      { id: 'b', settled_at: 300, ...listing },
      {
        id: 'c',
        settled_at: 400,
        target: 'VPS-10002',
        status: 'refused',
        error_code: 'not_permitted',
        outcome: createDenialJson('You may not.'),
      },
    );
    const [one, another] = [replica(), replica()];
    const stop = await startJobs(one, another);
    await clock.advanceTo(10_000, settle);
    await stop();
    expect([...one.messages, ...another.messages]).toEqual([
      ['C0LOG', 'Reboot VPS-10001', 'Reboot VPS-10002'],
    ]);
  });

  test('gets its message after the pause that Slack asks for', async () => {
    await insert({ id: 'a', settled_at: 200 });
    const one = replica([{ kind: 'retry', retryInMs: 30_000 }]);
    await one.notifySubscriptions();
    clock.jumpTo(clock.now() + 29_999);
    await one.notifySubscriptions();
    expect(one.messages).toEqual([]);
    clock.jumpTo(clock.now() + 1);
    await one.notifySubscriptions();
    expect(one.messages).toEqual([['C0LOG', 'Reboot VPS-10001']]);
  });

  test('is served by another replica, without repeats, after the first one stops', async () => {
    await insert({ id: 'a', settled_at: 200 });
    const [one, another] = [replica(), replica()];
    const stopOne = await startJobs(one);
    await clock.advanceTo(3_000, settle);
    expect(one.messages).toHaveLength(1);
    await stopOne();
    await insert({ id: 'b', settled_at: 300, target: 'VPS-10002' });
    const stopAnother = await startJobs(another);
    await clock.advanceTo(6_000, settle);
    expect(another.messages).toEqual([['C0LOG', 'Reboot VPS-10002']]);
    await stopAnother();
  });

  test('is unsubscribed once it is gone, and the person who subscribed it gets one message', async () => {
    await insert({ id: 'a', settled_at: 200 });
    const one = replica([{ kind: 'gone' }]);
    await one.notifySubscriptions();
    await one.notifySubscriptions();
    expect(one.directMessages).toEqual([
      [
        'T1',
        'U1',
        expect.objectContaining({
          facts: [{ label: 'Channel', value: { kind: 'channel', channel: 'C0LOG' } }],
        }),
      ],
    ]);
    expect(await createAuditSubscriptionStore(database.db).find('T1')).toBeUndefined();
    expect((await listRunRows(database.db)).filter(({ operation }) => operation === 'history')).toMatchObject(
      [{ target: '#C0LOG', status: 'done', user_id: 'U1' }],
    );
  });
});
