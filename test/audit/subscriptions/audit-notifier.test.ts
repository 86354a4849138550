import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AuditNotification } from '../../../src/audit/subscriptions/audit-notification.ts';
import { createAuditNotifier, type PublishResult } from '../../../src/audit/subscriptions/audit-notifier.ts';
import { createAuditSubscriptionStore } from '../../../src/audit/subscriptions/audit-subscription-store.ts';
import { type OpenDatabase, openDatabase } from '../../../src/db/database.ts';
import { createRunStore } from '../../../src/runs/store/run-store.ts';
import { catalogue } from '../audit-fixture.ts';
import { createDenialJson, insertRuns, listRunRows } from '../insert-runs.ts';

const delivered = { kind: 'delivered' } as const;
const log = { error: vi.fn(), warn: vi.fn() };
const subscription = { teamId: 'T1', channel: 'C0LOG', createdBy: 'U1', createdMs: 100 };

let database: OpenDatabase;
let nowMs: number;

beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
  nowMs = 1_000;
  await createAuditSubscriptionStore(database.db).save(subscription);
});
afterEach(() => database.close());

/** A replica with the messages it posted; `answers` are Slack's answers to its posts, in order. */
function replica(answers: (PublishResult | Error)[] = []) {
  const messages: string[][] = [];
  const directMessages: unknown[] = [];
  const notifier = createAuditNotifier({
    subscriptions: createAuditSubscriptionStore(database.db),
    runs: createRunStore(database.db),
    catalogue,
    findDisplayName: async (_, id) => id,
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
    now: () => nowMs,
  });
  return { ...notifier, messages, directMessages };
}

const insert = (...runs: Parameters<typeof insertRuns>[1]) => insertRuns(database.db, runs);
const listing = { operation: 'list', input: '{}', target: null };

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
    for (let polls = 0; polls < 3; polls += 1)
      await Promise.all([one.notifySubscriptions(), another.notifySubscriptions()]);
    expect([...one.messages, ...another.messages]).toEqual([
      ['C0LOG', 'reboot VPS-10001', 'reboot VPS-10002'],
    ]);
  });

  test('gets many runs in several messages, one per poll, without repeats', async () => {
    await insert(
      ...Array.from({ length: 45 }, (_, index) => ({
        id: `run-${index}`,
        settled_at: 200 + index,
        target: `VPS-${index}`,
      })),
    );
    const one = replica();
    for (let polls = 0; polls < 5; polls += 1) await one.notifySubscriptions();
    expect(one.messages.map((message) => message.length - 1)).toEqual([20, 20, 5]);
    const actions = one.messages.flatMap(([, ...lines]) => lines);
    expect(actions).toEqual(Array.from({ length: 45 }, (_, index) => `reboot VPS-${index}`));
  });

  test('gets its message after the pause that Slack asks for', async () => {
    await insert({ id: 'a', settled_at: 200 });
    const one = replica([{ kind: 'retry', retryInMs: 30_000 }]);
    await one.notifySubscriptions();
    nowMs += 29_999;
    await one.notifySubscriptions();
    expect(one.messages).toEqual([]);
    nowMs += 1;
    await one.notifySubscriptions();
    expect(one.messages).toEqual([['C0LOG', 'reboot VPS-10001']]);
  });

  test('is served by another replica, without repeats, after the first one stops', async () => {
    await insert({ id: 'a', settled_at: 200 });
    const [one, another] = [replica(), replica()];
    await one.notifySubscriptions();
    await insert({ id: 'b', settled_at: 300, target: 'VPS-10002' });
    await another.notifySubscriptions();
    expect(another.messages).toEqual([]);
    await one.stop();
    await another.notifySubscriptions();
    expect(another.messages).toEqual([['C0LOG', 'reboot VPS-10002']]);
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

  test('does not delay other channels when posting to it fails', async () => {
    await createAuditSubscriptionStore(database.db).save({
      ...subscription,
      teamId: 'T2',
      channel: 'C0OTHER',
    });
    await insert({ id: 'a', settled_at: 200 }, { id: 'b', settled_at: 200, team_id: 'T2' });
    const one = replica([new Error('Slack is down')]);
    await one.notifySubscriptions();
    expect(one.messages).toHaveLength(1);
    expect(log.error).toHaveBeenCalled();
    await one.notifySubscriptions();
    expect(one.messages).toHaveLength(2);
  });
});
