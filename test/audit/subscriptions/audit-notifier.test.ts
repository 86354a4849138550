import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AuditEntry } from '../../../src/audit/audit-entry.ts';
import { shouldNotify } from '../../../src/audit/subscriptions/audit-notification.ts';
import {
  auditMessageContent,
  auditMessageKind,
  createAuditNotifier,
  notifierName,
} from '../../../src/audit/subscriptions/audit-notifier.ts';
import { createAuditSubscriptionStore } from '../../../src/audit/subscriptions/audit-subscription-store.ts';
import { createLocalDatabaseClock } from '../../../src/jobs/database-clock.ts';
import { createJobs, type Jobs } from '../../../src/jobs/jobs.ts';
import type { Transport } from '../../../src/messages/message.ts';
import { createOutbox } from '../../../src/messages/outbox.ts';
import { createRunStore } from '../../../src/runs/store/run-store.ts';
import { startSqlite, useTestDatabase } from '../../db/test-database.ts';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { settle } from '../../jobs/jobs-fixture.ts';
import { testVault } from '../../runs/test-vault.ts';
import { createAuditEntry } from '../audit-fixture.ts';
import { createDenialJson, insertRuns, listRunRows } from '../insert-runs.ts';

const database = useTestDatabase(startSqlite);
const log = { error: vi.fn(), warn: vi.fn() };
const subscription = { teamId: 'T1', channel: 'C0LOG', createdBy: 'U1', createdMs: 100 };
let clock: ManualClock;
let running: Jobs[];
/** What Slack shows: the channel, and the entries or the title. */
let posted: (readonly string[])[];
let answers: Awaited<ReturnType<Transport['post']>>[];

beforeEach(async () => {
  clock = createManualClock(1_000);
  [running, posted, answers] = [[], [], []];
  await createAuditSubscriptionStore(database.db).save(subscription);
});
afterEach(() => Promise.all(running.map((jobs) => jobs.stop(0))));

/** Starts a process that posts to the subscribed channels. */
async function start() {
  const { db } = database;
  const jobs = createJobs({ db, databaseClock: createLocalDatabaseClock(clock), hasReplicas: true, log });
  running.push(jobs);
  const outbox = createOutbox({ db, jobs, log });
  outbox.connect({
    transport: {
      async post({ kind, channel, content, about }) {
        const answer = answers.shift();
        if (answer) return answer;
        posted.push([
          channel,
          ...(kind === auditMessageKind ? auditMessageContent.parse(content).runIds : [about]),
        ]);
        return { kind: 'sent', ref: { channel, ts: String(posted.length) } };
      },
      edit: async (_, ref) => ({ kind: 'sent', ref }),
      remove: async () => ({ kind: 'empty' }),
      find: async () => ({ kind: 'notFound' }),
    },
    listAdmins: async () => ['U1', 'U2'],
  });
  const subscriptions = createAuditSubscriptionStore(db);
  const runs = createRunStore(db, testVault);
  jobs.define(createAuditNotifier({ subscriptions, runs, outbox, clock, log }));
  await jobs.start();
}

const advance = (ms: number) => clock.advanceTo(clock.now() + ms, settle);
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
    await start();
    await start();
    await advance(10_000);
    expect(posted).toEqual([['C0LOG', 'a', 'c']]);
  });

  test('gets what happened while Slack was limited in one message', async () => {
    answers.push({ kind: 'limited', retryInMs: 30_000 });
    await insert({ id: 'a', settled_at: 1_100 });
    await start();
    await advance(3_000);
    for (const id of ['b', 'c']) {
      await insert({ id, settled_at: clock.now() });
      await advance(3_000);
    }
    expect(posted).toEqual([]);
    await advance(40_000);
    expect(posted).toEqual([
      ['C0LOG', 'a'],
      ['C0LOG', 'b', 'c'],
    ]);
  });

  test('is unsubscribed once it is gone, and the person who subscribed it gets one message', async () => {
    answers.push({ kind: 'unreachable', reason: 'is_archived' });
    await insert({ id: 'a', settled_at: 200 });
    await start();
    await advance(10_000);
    expect(posted.toSorted()).toEqual([
      ['U1', 'The activity log is no longer posted to a channel'],
      ['U2', 'Activity log'],
    ]);
    expect(await createAuditSubscriptionStore(database.db).find('T1')).toBeUndefined();
    expect((await listRunRows(database.db)).filter(({ operation }) => operation === 'history')).toMatchObject(
      [{ target: '#C0LOG', status: 'done', user_id: 'U1' }],
    );
    expect(await database.db.selectFrom('job').select('id').where('id', '=', notifierName).execute()).toEqual(
      [],
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
