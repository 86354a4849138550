import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../../src/db/engines/database.ts';
import { RackhandError } from '../../../../src/errors.ts';
import type { CallData } from '../../../../src/hosting/client/hosting-client.ts';
import type { GetEndpoint } from '../../../../src/hosting/endpoints/endpoint.ts';
import { createReportDelivery } from '../../../../src/monitoring/reports/delivery/report-delivery.ts';
import type {
  PublishedPost,
  ReportPost,
  ReportPublisher,
} from '../../../../src/monitoring/reports/delivery/report-publisher.ts';
import { createPauseAndNotify } from '../../../../src/monitoring/reports/pause-and-notify.ts';
import { reportContent } from '../../../../src/monitoring/reports/planning/report-content.ts';
import type { Report } from '../../../../src/monitoring/reports/report.ts';
import { createReportStore } from '../../../../src/monitoring/reports/report-store.ts';
import type { OccurrenceContext } from '../../../../src/monitoring/reports/schedule/execute-occurrence.ts';
import { createBaselineStore } from '../../../../src/monitoring/reports/summary/baseline-store.ts';
import type { FindResult, PostResult } from '../../../../src/monitoring/shared/channel-publisher.ts';
import { createHourlyHistoryStore } from '../../../../src/monitoring/shared/history/hourly-history-store.ts';
import { createMuteStore } from '../../../../src/monitoring/shared/mutes/mute-store.ts';
import { createPauseNotifier } from '../../../../src/monitoring/shared/pauses/pause-notifier.ts';
import { noSilence } from '../../../../src/monitoring/shared/silences/silence.ts';
import type { Read } from '../../../../src/operations/define/read.ts';
import { eventually } from '../../../eventually.ts';
import { createManualClock } from '../../../jobs/manual-clock.ts';
import { endMs } from '../../shared/histories.ts';

const log = { warn: vi.fn(), error: vi.fn(), info: vi.fn(), debug: vi.fn() };

/** Returns a channel with these results, then success. `sought` is the post of an earlier attempt. */
function createFakeChannel(
  answers: readonly PostResult[] = [],
  sought: FindResult | Error = { kind: 'notFound' },
) {
  const followed: PublishedPost[] = [];
  const posts: ReportPost[] = [];
  const notices: string[] = [];
  const attempted: string[] = [];
  const left = [...answers];
  const publisher: ReportPublisher = {
    uploadChart: async () => 'F0PICTURE',
    async post(_, words) {
      const answer = left.shift() ?? { kind: 'posted', ts: '1.0' };
      if (answer.kind === 'posted') posts.push(words);
      attempted.push(words.outcome.title);
      return answer;
    },
    async findPost() {
      if (sought instanceof Error) throw sought;
      return sought;
    },
    async replyInThread(_, post) {
      followed.push(post);
    },
    postText: async () => ({ kind: 'posted', ts: '1.0' }) as const,
    async sendDirectMessage({ userId }, { title }) {
      notices.push(`${userId}: ${title}`);
    },
    sendFile: async () => undefined,
  };
  return { publisher, posts, notices, followed, attempted };
}

let database: OpenDatabase;

beforeEach(async () => {
  database = await openDatabase('sqlite::memory:', { log });
});
afterEach(() => database.close());

/** Returns a delivery and a report that is due. */
async function setUp(channel = createFakeChannel(), post: 'always' | 'standsOut' | 'changed' = 'always') {
  const { db } = database;
  const clock = createManualClock(endMs - 60_000);
  const store = createReportStore(db);
  const baselines = createBaselineStore(db);
  const addAuditEntry = vi.fn(async () => undefined);
  const runs = { addAuditEntry };
  const pauseNotifier = createPauseNotifier({
    kind: 'report',
    store,
    runs,
    publisher: channel.publisher,
    clock,
    log,
  });
  const others = { memory_percent: 40, disk_percent: 40 };
  const trafficPoints = [2, 1].map((hours) => ({ time: endMs / 1_000 - hours * 3_600, netin: 1_000 }));
  const service = { state: 'running', error: undefined as RackhandError | undefined };
  const read: Read = async <E extends GetEndpoint>(endpoint: E, input: object) => {
    if (service.error) throw service.error;
    const one = { name: 'VPS-10001', status: service.state, cpu_percent: 50, ...others };
    const answer = 'query' in input ? { points: trafficPoints } : 'params' in input ? one : { vps: [one] };
    return endpoint.data.parse(answer) as CallData<E>;
  };
  const content = reportContent.parse({ vps: '*', vpsCount: 1, settings: { post } });
  const recurrence = { every: 'day', at: '05:00', zone: 'UTC', quiet: [] } as const;
  const plan = { name: 'Morning', channel: 'C0OPS', recurrence, content };
  const report = await store.add({ teamId: 'T0ACME', userId: 'U0ALICE' }, plan, clock.now());
  if (!report) throw new Error('the name is taken');
  const deliver = createReportDelivery({
    baselines,
    delayNotices: { claim: store.claimDelayNotice, release: store.releaseDelayNotice },
    pause: createPauseAndNotify(store, pauseNotifier),
    publisher: channel.publisher,
    readFor: () => read,
    listVpsAliases: async () => new Map(),
    hours: createHourlyHistoryStore(db),
    mutes: createMuteStore(db),
    listAlerts: async () => undefined,
    loadSilence: async () => noSilence,
    clock,
    log,
  });
  const markPosting = vi.fn(async () => true);
  const due = (more: Partial<OccurrenceContext> = {}): OccurrenceContext => ({
    dueMs: endMs,
    attempt: 1,
    postingMs: null,
    untilMs: endMs + 6 * 3_600_000,
    isTooLate: () => false,
    willRetry: () => true,
    skippedSinceMs: null,
    signal: new AbortController().signal,
    untilDue: async () => undefined,
    markPosting,
    ...more,
  });
  const stateOf = async ({ id }: Report) => (await store.get(id))?.state;
  return { deliver, report, due, clock, service, baselines, markPosting, addAuditEntry, stateOf, ...channel };
}

const notesOf = (words: ReportPost | undefined) => words?.outcome.notes?.join(' ') ?? '';

describe('a report that an interrupted attempt could have posted', () => {
  test("is posted as usual if it isn't in the channel", async () => {
    const { deliver, report, due, posts, followed } = await setUp();
    await deliver(report, due({ postingMs: endMs }));
    expect(notesOf(posts[0])).not.toContain('repeat');
    expect(followed).toMatchObject([{ ts: '1.0', mayHaveReplies: false }]);
  });

  test('is not posted again if it is there: its thread and baseline are completed', async () => {
    const { deliver, report, due, posts, followed, baselines, markPosting } = await setUp(
      createFakeChannel([], { kind: 'found', ts: '0.5' }),
    );
    await deliver(report, due({ postingMs: endMs, isTooLate: () => true }));
    expect(posts).toEqual([]);
    expect(markPosting).not.toHaveBeenCalled();
    const key = { reportId: report.id, dueMs: endMs };
    expect(followed).toEqual([{ ts: '0.5', key, mayHaveReplies: true }]);
    expect(await baselines.find(report.id)).toMatchObject({ untilMs: endMs });
  });

  test("is posted again, marked as a possible repeat, if the channel can't be read", async () => {
    const { deliver, report, due, posts } = await setUp(createFakeChannel([], { kind: 'unreadable' }));
    await deliver(report, due({ postingMs: endMs }));
    expect(notesOf(posts[0])).toContain('This may be a repeat');
  });

  test('is searched for again while Slack is unavailable, and finally posted as a possible repeat', async () => {
    const { deliver, report, due, posts } = await setUp(createFakeChannel([], new Error('Slack is away')));
    await expect(deliver(report, due({ postingMs: endMs }))).rejects.toThrow('Slack is away');
    expect(posts).toEqual([]);
    await deliver(report, due({ postingMs: endMs, willRetry: () => false }));
    expect(notesOf(posts[0])).toContain('This may be a repeat');
  });

  test('is skipped if it was not posted, and it is too late', async () => {
    const { deliver, report, due, posts } = await setUp();
    expect(await deliver(report, due({ postingMs: endMs, isTooLate: () => true }))).toBe('passedOver');
    expect(posts).toEqual([]);
  });
});

describe('a report that cannot be made', () => {
  const failed = new RackhandError('service_failed', 'The hosting service failed.');

  test('is retried for a quarter of its period, and then says so in its channel', async () => {
    const { deliver, report, due, posts, service, baselines } = await setUp();
    service.error = failed;
    await expect(deliver(report, due())).rejects.toBe(failed);
    expect(posts).toEqual([]);
    await deliver(report, due({ willRetry: () => false }));
    expect(posts.map(({ outcome }) => outcome.title)).toEqual(['Report "Morning" failed']);
    expect(notesOf(posts[0])).toContain('The hosting service failed.');
    expect(await baselines.find(report.id)).toBeUndefined();
  });

  test('notifies its owner after about a quarter of an hour, and continues to be retried', async () => {
    const { deliver, report, due, notices, service, clock, posts } = await setUp();
    service.error = failed;
    const failsAt = async (minutes: number, dueMs = endMs) => {
      await clock.advanceTo(dueMs + minutes * 60_000, async () => undefined);
      const untilMs = dueMs + 6 * 3_600_000;
      await expect(deliver(report, due({ dueMs, untilMs }))).rejects.toBe(failed);
    };
    await failsAt(8);
    expect(notices).toEqual([]);
    for (const minutes of [16, 26, 36]) await failsAt(minutes);
    expect(notices).toEqual(['U0ALICE: Report "Morning" is delayed']);
    expect(posts).toEqual([]);
    await failsAt(16, endMs + 86_400_000);
    expect(notices).toHaveLength(2);
  });

  test('does not notify its owner if its channel will soon say so', async () => {
    const { deliver, report, due, notices, service, clock } = await setUp();
    service.error = failed;
    await clock.advanceTo(endMs + 12 * 60_000, async () => undefined);
    await expect(deliver(report, due({ untilMs: endMs + 15 * 60_000 }))).rejects.toBe(failed);
    expect(notices).toEqual([]);
  });

  test('says nothing if it was posted already, or is no longer allowed to be posted', async () => {
    const { deliver, report, due, posts, service } = await setUp(
      createFakeChannel([], { kind: 'found', ts: '0.5' }),
    );
    service.error = failed;
    await deliver(report, due({ postingMs: endMs, willRetry: () => false }));
    const signal = AbortSignal.abort(new Error('stopping'));
    await expect(deliver(report, due({ willRetry: () => false, signal }))).rejects.toThrow();
    expect(posts).toEqual([]);
  });
});

describe('the delivery of a report', () => {
  test('posts it with its chart, and stores its baseline', async () => {
    const { deliver, report, due, posts, baselines } = await setUp();
    await deliver(report, due());
    expect(posts).toHaveLength(1);
    expect(posts[0]?.outcome.title).toBe('Nothing stands out about VPS-10001');
    expect(notesOf(posts[0])).not.toMatch(/repeat|late|No reports were posted/);
    expect(await baselines.find(report.id)).toMatchObject({ untilMs: endMs, vps: { 'VPS-10001': {} } });
  });

  test('posts nothing while nothing changes, if the team wants that', async () => {
    const { deliver, report, due, posts, service, markPosting } = await setUp(createFakeChannel(), 'changed');
    await deliver(report, due());
    await deliver(report, due());
    expect(posts).toHaveLength(1);
    expect(markPosting).toHaveBeenCalledTimes(1);
    service.state = 'stopped';
    await deliver(report, due());
    await deliver(report, due());
    expect(posts.map(({ outcome }) => outcome.title)).toEqual([
      'Nothing stands out about VPS-10001',
      'The VPS needs a look: VPS-10001 stopped',
    ]);
  });

  test('names the missed times, even in a quiet report', async () => {
    const { deliver, report, due, posts } = await setUp(createFakeChannel(), 'standsOut');
    await deliver(report, due());
    expect(posts).toEqual([]);
    await deliver(report, due({ skippedSinceMs: endMs - 86_400_000 }));
    expect(notesOf(posts[0])).toContain('No reports were posted from Friday 20 November 2026, 05:00');
  });

  test('says that it is late', async () => {
    const { deliver, report, due, posts, clock } = await setUp();
    await clock.advanceTo(endMs + 3_600_000, async () => undefined);
    await deliver(report, due({ postingMs: endMs }));
    expect(notesOf(posts[0])).not.toContain('repeat');
    expect(notesOf(posts[0])).toContain(
      'This report is late. It was due on Saturday 21 November 2026, 05:00.',
    );
  });

  test('says what Slack rejected, and is paused if Slack rejects that too', async () => {
    const refused = { kind: 'rejected', error: 'invalid_blocks' } as const;
    const once = await setUp(createFakeChannel([refused]));
    await once.deliver(once.report, once.due());
    expect(once.posts.map(({ outcome }) => outcome.title)).toEqual(['Report "Morning" failed']);
    expect(notesOf(once.posts[0])).toContain('Slack rejected the message: invalid_blocks.');

    await database.db.deleteFrom('report').execute();
    const twice = await setUp(createFakeChannel([refused, refused]));
    await twice.deliver(twice.report, twice.due());
    expect(twice.attempted).toHaveLength(2);
    expect(await twice.stateOf(twice.report)).toMatchObject({ kind: 'paused', reason: 'channel' });
    expect(twice.notices).toEqual(['U0ALICE: Report "Morning" is paused']);
  });

  test('waits as long as Slack asks', async () => {
    const { deliver, report, due, posts, clock, markPosting } = await setUp(
      createFakeChannel([{ kind: 'rateLimited', retryInMs: 5_000 }]),
    );
    const done = deliver(report, due());
    await eventually(() => expect(markPosting).toHaveBeenCalledTimes(1));
    expect(posts).toEqual([]);
    await eventually(async () => {
      await clock.advanceTo(endMs + 5_000, async () => undefined);
      expect(posts).toHaveLength(1);
    });
    await done;
  });

  test('posts nothing if that is no longer allowed', async () => {
    const { deliver, report, due, posts, baselines } = await setUp();
    await deliver(report, due({ markPosting: async () => false }));
    expect(posts).toEqual([]);
    expect(await baselines.find(report.id)).toBeUndefined();
  });

  test('is paused if the channel accepts nothing, and its owner is notified', async () => {
    const { deliver, report, due, notices, addAuditEntry, stateOf } = await setUp(
      createFakeChannel([{ kind: 'channelGone' }]),
    );
    await deliver(report, due());
    expect(await stateOf(report)).toMatchObject({ kind: 'paused', reason: 'channel', byUserId: null });
    expect(notices).toEqual(['U0ALICE: Report "Morning" is paused']);
    expect(addAuditEntry).toHaveBeenCalledTimes(1);
  });

  test('is paused if the key is rejected, and tried again if the service fails', async () => {
    const { deliver, report, due, notices, service, stateOf } = await setUp();
    service.error = new RackhandError('service_failed', 'The service failed.');
    await expect(deliver(report, due())).rejects.toMatchObject({ code: 'service_failed' });
    expect(await stateOf(report)).toMatchObject({ kind: 'active' });
    service.error = new RackhandError('key_rejected', 'The key is not accepted.');
    await deliver(report, due());
    expect(await stateOf(report)).toMatchObject({ kind: 'paused', reason: 'key' });
    expect(notices).toEqual(['U0ALICE: Report "Morning" is paused']);
  });
});
