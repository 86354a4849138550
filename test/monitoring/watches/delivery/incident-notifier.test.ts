import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../../src/db/engines/database.ts';
import type { FindResult, PostResult } from '../../../../src/monitoring/shared/channel-publisher.ts';
import { createPauseNotifier } from '../../../../src/monitoring/shared/pauses/pause-notifier.ts';
import { createIncidentNotifier } from '../../../../src/monitoring/watches/delivery/incident-notifier.ts';
import type {
  EditResult,
  IncidentPublisher,
} from '../../../../src/monitoring/watches/delivery/incident-publisher.ts';
import { advanceIncident } from '../../../../src/monitoring/watches/evaluation/incident.ts';
import { okAlertState } from '../../../../src/monitoring/watches/evaluation/vps-alert-state.ts';
import type { Watch } from '../../../../src/monitoring/watches/watch.ts';
import { createWatchStore } from '../../../../src/monitoring/watches/watch-store.ts';
import type { Outcome } from '../../../../src/operations/define/outcome.ts';
import { eventually } from '../../../eventually.ts';
import { createManualClock } from '../../../jobs/manual-clock.ts';

const log = { warn: vi.fn(), error: vi.fn(), info: vi.fn(), debug: vi.fn() };
const nowMs = Date.parse('2026-11-23T08:00Z');
const minuteMs = 60_000;

/** Returns a channel that responds with these results in turn, and then with success. */
function createFakeChannel(answers: readonly (PostResult | Error)[] = [], edits: readonly EditResult[] = []) {
  const left = [...answers];
  const editsLeft = [...edits];
  const posts: Outcome[] = [];
  const edited: Outcome[] = [];
  const replies: Outcome[] = [];
  const notices: string[] = [];
  const sought = { answer: { kind: 'notFound' } as FindResult, times: 0 };
  const attempts = { count: 0 };
  const whileSpeaking = { work: async (): Promise<void> => undefined };
  const publisher: IncidentPublisher = {
    async post(_, __, { outcome }) {
      attempts.count += 1;
      const answer = left.shift() ?? { kind: 'posted', ts: '1.000100' };
      await whileSpeaking.work();
      whileSpeaking.work = async () => undefined;
      if (answer instanceof Error) throw answer;
      if (answer.kind === 'posted') posts.push(outcome);
      return answer;
    },
    async findPost() {
      sought.times += 1;
      return sought.answer;
    },
    async edit(_, ts, outcome) {
      const answer = editsLeft.shift() ?? { kind: 'posted', ts };
      await whileSpeaking.work();
      whileSpeaking.work = async () => undefined;
      if (typeof answer === 'object' && 'ts' in answer) edited.push(outcome);
      return answer;
    },
    async replyInThread(_, ts, { outcome }) {
      replies.push(outcome);
      return { kind: 'posted', ts } as const;
    },
    announce: async () => ({ kind: 'posted', ts: '1.0' }) as const,
    postText: async () => ({ kind: 'posted', ts: '1.0' }) as const,
    async sendDirectMessage({ userId }, { title }) {
      notices.push(`${userId}: ${title}`);
    },
  };
  return { publisher, posts, edited, replies, notices, sought, attempts, whileSpeaking };
}

let database: OpenDatabase;
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:', { log });
});
afterEach(() => database.close());

const breached = { ...okAlertState, isAlerting: true, sinceMs: nowMs - 12 * minuteMs, worst: 97, latest: 93 };
const recovered = { ...okAlertState, backMs: nowMs };
const begins = (vps: string) => ({ vps, before: okAlertState, after: breached });
const ends = (vps: string) => ({ vps, before: breached, after: recovered });

/** Returns a watch with one alerting VPS, and its notifier. */
async function setUp(channel = createFakeChannel(), vps: readonly string[] = ['VPS-10004']) {
  const store = createWatchStore(database.db);
  const clock = createManualClock(nowMs);
  const pauseNotifier = createPauseNotifier({
    kind: 'watch',
    store,
    runs: { addAuditEntry: vi.fn(async () => undefined) },
    publisher: channel.publisher,
    clock,
    log,
  });
  const notifyIncident = createIncidentNotifier({
    store,
    publisher: channel.publisher,
    recipients: { findProblem: async () => undefined },
    scheduleEscalation: async () => undefined,
    labelVpsFor: async () => (text) => text,
    clock,
    log,
  });
  const condition = { measure: 'cpu', is: 'over', figure: 90, forMs: 10 * minuteMs } as const;
  const plan = { name: 'CPU', channel: 'C0OPS', vps: '*', condition };
  const set = await store.add({ teamId: 'T0ACME', userId: 'U0ALICE' }, plan, nowMs);
  if (!set) throw new Error('the name is taken');
  const { signal } = new AbortController();

  const current = async (): Promise<Watch> => {
    const [watch] = await store.list('T0ACME');
    if (!watch) throw new Error('the watch is gone');
    return watch;
  };
  const step = async (steps: Parameters<typeof advanceIncident>[1]) => {
    const watch = await current();
    const incident = advanceIncident(watch.alertState.incident ?? undefined, steps, clock.now()) ?? null;
    await store.saveAlertState(watch, { ...watch.alertState, incident });
  };
  await step(vps.map(begins));
  return {
    ...channel,
    clock,
    store,
    pauseNotifier,
    current,
    step,
    close: notifyIncident.close,
    notify: async () => notifyIncident(await current(), signal),
    notifyOf: (watch: Watch) => notifyIncident(watch, signal),
  };
}

describe('the message of a watch', () => {
  test('is posted once, edited when it changes, closed, and forgotten', async () => {
    const { notify, step, posts, edited, replies, current } = await setUp();
    await notify();
    await notify();
    expect(posts.map(({ title }) => title)).toEqual(['⚠ VPS-10004: CPU 93% for 12 min (over 90%)']);
    expect(edited).toEqual([]);
    await step([begins('VPS-10007')]);
    await notify();
    expect(edited.at(-1)?.title).toMatch(
      /^⚠ 2 VPS with CPU over 90%: VPS-10004 93% for 12 min and VPS-10007 93%$/,
    );
    expect(replies.map(({ title }) => title)).toEqual(['⚠ VPS-10007: CPU 93% for 12 min (over 90%)']);
    await step([ends('VPS-10004'), ends('VPS-10007')]);
    await notify();
    expect(edited.at(-1)?.title).toBe('✓ 2 VPS: CPU over 90% ended after 12 min, at most 97%');
    expect((await current()).alertState).toMatchObject({ incident: null, messageTs: null, postingMs: null });
    expect(posts).toHaveLength(1);
  });

  test('says what is recovering, and not that its figure is beyond the threshold', async () => {
    const { notify, step, edited } = await setUp(undefined, ['VPS-10004', 'VPS-10007']);
    await notify();
    const near = (vps: string) => ({
      vps,
      before: breached,
      after: { ...breached, latest: 20 },
    });
    await step([near('VPS-10004'), { ...begins('VPS-10009') }]);
    await notify();
    expect(edited.at(-1)?.title).toBe(
      '⚠ 3 VPS with CPU over 90%: VPS-10007 93% for 12 min, VPS-10009 93% and VPS-10004 now 20%',
    );
    await step([ends('VPS-10007'), ends('VPS-10009')]);
    await notify();
    expect(edited.at(-1)?.title).toBe('⚠ VPS-10004: CPU over 90% for 12 min, now 20%');
  });

  test('is searched for after an interruption between posting and storing, and not posted again', async () => {
    const staged = await setUp(createFakeChannel([new Error('the connection broke')]));
    const { notify, posts, edited, sought, current } = staged;
    await expect(notify()).rejects.toThrow('the connection broke');
    expect((await current()).alertState).toMatchObject({ messageTs: null, postingMs: nowMs });
    sought.answer = { kind: 'found', ts: '1.000200' };
    await notify();
    expect(posts).toEqual([]);
    expect(sought.times).toBe(1);
    expect((await current()).alertState).toMatchObject({ messageTs: '1.000200', postingMs: null });
    expect(edited).toHaveLength(1);
  });

  test("is posted normally if it isn't found, and as a possible repeat if the app can't search", async () => {
    const lost = await setUp(createFakeChannel([new Error('the connection broke')]));
    await expect(lost.notify()).rejects.toThrow();
    await lost.notify();
    expect(lost.posts[0]?.notes?.join(' ')).not.toContain('repeat');

    await database.db.deleteFrom('watch').execute();
    const blind = await setUp(createFakeChannel([new Error('the connection broke')]));
    await expect(blind.notify()).rejects.toThrow();
    blind.sought.answer = { kind: 'unreadable' };
    await blind.notify();
    expect(blind.posts[0]?.notes?.join(' ')).toContain('This may be a repeat');
  });

  test('is closed if a person pauses the watch while it is posted, or edited', async () => {
    for (const during of ['post', 'edit'] as const) {
      await database.db.deleteFrom('watch').execute();
      const channel = createFakeChannel();
      const staged = await setUp(channel);
      const { notify, step, current, store, edited } = staged;
      if (during === 'edit') {
        await notify();
        await step([begins('VPS-10007')]);
      }
      channel.whileSpeaking.work = async () =>
        void (await store.pause(await current(), 'person', 'U0BOB', nowMs));
      await notify();
      expect(edited.at(-1)?.title).toContain('CPU: the watch was changed');
    }
  });

  test('is not posted again if a person acknowledges the alert while it is posted', async () => {
    const channel = createFakeChannel();
    const { notify, current, store, posts, edited } = await setUp(channel);
    const acknowledged = { userId: 'U0BOB', atMs: nowMs };
    channel.whileSpeaking.work = async () => {
      const { id } = await current();
      await store.changeIncident(id, nowMs, (incident) => ({
        ...incident,
        isStale: true,
        response: { ...incident.response, acknowledged },
      }));
    };
    await notify();
    await notify();
    expect(posts).toHaveLength(1);
    expect((await current()).alertState).toMatchObject({
      messageTs: '1.000100',
      postingMs: null,
      incident: { isStale: false, response: { acknowledged, postedMs: nowMs } },
    });
    expect(edited.at(-1)?.facts).toContainEqual({
      label: 'Acknowledged by',
      value: { kind: 'person', person: 'U0BOB' },
    });
  });

  test('is shortened to one line if Slack rejects it, and the watch is paused if Slack rejects that too', async () => {
    const refused = { kind: 'rejected', error: 'invalid_blocks' } as const;
    const { notify, posts, current } = await setUp(createFakeChannel([refused]));
    await notify();
    expect(posts).toEqual([{ title: '⚠ VPS-10004: CPU 93% for 12 min (over 90%)' }]);
    expect((await current()).alertState).toMatchObject({ messageTs: '1.000100', postingMs: null });

    await database.db.deleteFrom('watch').execute();
    const other = await setUp(createFakeChannel([refused, refused]));
    await other.notify();
    expect((await other.current()).state).toMatchObject({ kind: 'paused', reason: 'channel' });
  });

  test('is closed as soon as Slack allows it if the watch is paused', async () => {
    const { notify, close, current, clock, edited } = await setUp(
      createFakeChannel(
        [],
        [
          { kind: 'rateLimited', retryInMs: 5_000 },
          { kind: 'posted', ts: '1.000100' },
        ],
      ),
    );
    await notify();
    const left = close(await current(), 'the watch was paused');
    await eventually(async () => {
      await clock.advanceTo(clock.now() + 5_000, async () => undefined);
      expect(edited.map(({ title }) => title)).toEqual([
        'CPU: the watch was paused; VPS-10004 had not recovered',
      ]);
    });
    await left;
  });

  test('claims no more than could be read', async () => {
    const { notify, step, clock, edited } = await setUp();
    await notify();
    await clock.advanceTo(nowMs + 40 * minuteMs, async () => undefined);
    await step([
      {
        vps: 'VPS-10004',
        before: breached,
        after: { ...breached, unreadMs: nowMs + minuteMs },
      },
    ]);
    await notify();
    expect(edited.at(-1)?.title).toBe('⚠ VPS-10004: CPU 93% for 13 min (over 90%)');
    expect(edited.at(-1)?.notes?.join(' ')).toContain(
      "VPS-10004 couldn't be read for 39 min, so the current state is unknown.",
    );
  });

  test('is posted by one of two processes that execute the same cycle', async () => {
    const { notifyOf, current, posts } = await setUp();
    const watch = await current();
    await Promise.all([notifyOf(watch), notifyOf(watch), notifyOf(watch)]);
    expect(posts).toHaveLength(1);
  });

  test('waits as long as Slack asks, and is then retried normally', async () => {
    const { notify, clock, posts, sought, attempts, current } = await setUp(
      createFakeChannel([
        { kind: 'rateLimited', retryInMs: 5_000 },
        { kind: 'rateLimited', retryInMs: 600_000 },
      ]),
    );
    const done = notify();
    await eventually(async () => {
      if (attempts.count === 1) await clock.advanceTo(clock.now() + 5_000, async () => undefined);
      expect(attempts.count).toBe(2);
    });
    await done;
    expect(clock.now()).toBeGreaterThanOrEqual(nowMs + 5_000);
    expect((await current()).alertState).toMatchObject({ postingMs: null, messageTs: null });
    await notify();
    expect(posts).toHaveLength(1);
    expect(sought.times).toBe(0);
  });

  test('pauses the watch if the channel accepts nothing, and notifies its owner once', async () => {
    const { notify, pauseNotifier, notices, current } = await setUp(
      createFakeChannel([{ kind: 'channelGone' }]),
    );
    await notify();
    await pauseNotifier.notify();
    await pauseNotifier.notify();
    expect((await current()).state).toEqual({ kind: 'paused', reason: 'channel', byUserId: null });
    expect(notices).toEqual(['U0ALICE: Watch "CPU" is paused']);
  });

  test('is posted again after a person deleted it if an alert is active, and otherwise not', async () => {
    const { notify, step, posts, edited } = await setUp(
      createFakeChannel([], [{ kind: 'messageGone' }, { kind: 'messageGone' }]),
    );
    await notify();
    await step([begins('VPS-10007')]);
    await notify();
    await notify();
    expect(posts).toHaveLength(2);
    await step([ends('VPS-10004'), ends('VPS-10007')]);
    await notify();
    await notify();
    expect(posts).toHaveLength(2);
    expect(edited).toEqual([]);
  });

  test('is updated from time to time while nothing else changes', async () => {
    const { notify, clock, edited } = await setUp();
    await notify();
    await clock.advanceTo(nowMs + 9 * minuteMs, async () => undefined);
    await notify();
    expect(edited).toEqual([]);
    await clock.advanceTo(nowMs + 10 * minuteMs, async () => undefined);
    await notify();
    expect(edited.map(({ title }) => title)).toEqual(['⚠ VPS-10004: CPU 93% for 22 min (over 90%)']);
  });

  test('lists 50 VPS readably', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `VPS-${10_001 + index}`);
    const { notify, posts } = await setUp(createFakeChannel(), names);
    await notify();
    const [post] = posts;
    expect(post?.title).toMatch(
      /^⚠ 50 VPS with CPU over 90%: VPS-10001 93% for 12 min, VPS-10002 93%, VPS-10003 93% and 47 more$/,
    );
    expect(post?.title.length).toBeLessThan(150);
    expect(post?.table?.rows).toHaveLength(20);
    expect(post?.notes?.join(' ')).toContain('20 of 50 VPS');
    expect(post?.next?.length).toBeLessThanOrEqual(5);
    expect(post?.choiceSteps?.map(({ operation }) => operation)).toEqual(['graph', 'mute']);
  });
});
