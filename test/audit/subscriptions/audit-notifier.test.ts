import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AuditEntry } from '../../../src/audit/audit-entry.ts';
import { type AuditNotification, shouldNotify } from '../../../src/audit/subscriptions/audit-notification.ts';
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
import { catalogue, createAuditEntry } from '../audit-fixture.ts';
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

const neverQueued = { queuedMs: null, sentMs: null };

const notified: Readonly<Record<string, Partial<AuditEntry>>> = {
  'a successful change': {},
  'a change that failed': { status: 'failed', errorCode: 'service_failed' },
  'a change whose outcome is unknown': { status: 'unknown' },
  'a change that a second person declined': {
    status: 'refused',
    errorCode: 'cancelled',
    requiredApproval: true,
    declinedBy: 'U0BOB',
    ...neverQueued,
  },
  'a change that nobody approved in time': { status: 'expired', requiredApproval: true, ...neverQueued },
  'a change that was denied': {
    status: 'refused',
    errorCode: 'not_permitted',
    ...neverQueued,
  },
  'a read that was denied': {
    operation: 'list',
    status: 'refused',
    errorCode: 'not_permitted',
    ...neverQueued,
  },
  'an approved change to something that no longer exists': {
    status: 'failed',
    errorCode: 'not_found',
    requiredApproval: true,
  },
  'a change to Rackhand that failed': {
    operation: 'connect',
    input: {},
    status: 'failed',
    errorCode: 'internal',
    sentMs: null,
  },
  'a key that was connected': { operation: 'connect', input: {}, ...neverQueued },
  'an installation': { operation: 'install', input: {}, ...neverQueued },
};

const notNotified: Readonly<Record<string, Partial<AuditEntry>>> = {
  'a read': { operation: 'list', input: {}, target: null },
  'a read that failed': { operation: 'list', input: {}, status: 'failed', errorCode: 'service_failed' },
  'a change that its actor cancelled': {
    status: 'refused',
    errorCode: 'cancelled',
    ...neverQueued,
  },
  'a change with invalid input': { status: 'refused', errorCode: 'input_invalid', ...neverQueued },
  'a change to a VPS that does not exist': { status: 'failed', errorCode: 'not_found' },
  // Reads are queued without checks.
  'a read with invalid input': { operation: 'list', status: 'refused', errorCode: 'input_invalid' },
  'a change to Rackhand with invalid input': {
    operation: 'connect',
    input: {},
    status: 'refused',
    errorCode: 'input_invalid',
  },
  'a change to Rackhand that failed on its input': {
    operation: 'connect',
    input: {},
    status: 'failed',
    errorCode: 'input_invalid',
  },
  'a change that nobody confirmed': { status: 'expired', errorCode: 'deadline_passed', ...neverQueued },
};

describe('a subscribed channel is notified', () => {
  test.each(Object.entries(notified))('of %s', (_, run) => {
    expect(shouldNotify(createAuditEntry(run))).toBe(true);
  });

  test.each(Object.entries(notNotified))('not of %s', (_, run) => {
    expect(shouldNotify(createAuditEntry(run))).toBe(false);
  });
});
