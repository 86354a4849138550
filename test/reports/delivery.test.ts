import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RackhandError } from '../../src/error.ts';
import type { CallData } from '../../src/hosting/client.ts';
import type { GetEndpoint } from '../../src/hosting/endpoint.ts';
import type { Read } from '../../src/operations/operation.ts';
import { reportContent } from '../../src/reports/content.ts';
import { createDelivery } from '../../src/reports/delivery.ts';
import { createHoursStore } from '../../src/reports/history/hours-store.ts';
import { createReportMemory } from '../../src/reports/memory-store.ts';
import { createMuteStore } from '../../src/reports/mutes/mute-store.ts';
import { createPauses } from '../../src/reports/pauses.ts';
import { createRest } from '../../src/reports/rest.ts';
import type { Report } from '../../src/reports/schedule/report.ts';
import { createReportStore } from '../../src/reports/schedule/report-store.ts';
import type { Due } from '../../src/reports/schedule/turn.ts';
import type { Posted, ReportVoice, ReportWords, Sought, Spoken } from '../../src/reports/voice.ts';
import { type OpenDatabase, openDatabase } from '../../src/storage/database.ts';
import { eventually } from '../eventually.ts';
import { createManualClock } from './schedule/manual-clock.ts';
import { endMs } from './summary/histories.ts';

const log = { warn: vi.fn(), error: vi.fn(), info: vi.fn(), debug: vi.fn() };

/** A channel that answers as it is told, then takes everything; `sought` is what there is of an earlier attempt. */
function createChannel(answers: readonly Spoken[] = [], sought: Sought | Error = 'none') {
  const followed: Posted[] = [];
  const posts: ReportWords[] = [];
  const told: string[] = [];
  const attempted: string[] = [];
  const left = [...answers];
  const voice: ReportVoice = {
    upload: async () => 'F0PICTURE',
    async post(_, words) {
      const answer = left.shift() ?? { ts: '1.0' };
      if (answer !== 'gone' && 'ts' in answer) posts.push(words);
      attempted.push(words.outcome.title);
      return answer;
    },
    async find() {
      if (sought instanceof Error) throw sought;
      return sought;
    },
    async follow(_, post) {
      followed.push(post);
    },
    say: async () => ({ ts: '1.0' }),
    async tellPerson({ userId }, { title }) {
      told.push(`${userId}: ${title}`);
    },
    giveFile: async () => undefined,
  };
  return { voice, posts, told, followed, attempted };
}

let database: OpenDatabase;

beforeEach(async () => {
  database = await openDatabase('sqlite::memory:', { log });
});
afterEach(() => database.close());

/** Makes what delivers, and a report that is due. */
async function stage(channel = createChannel(), post: 'always' | 'standsOut' | 'changed' = 'always') {
  const { db } = database;
  const clock = createManualClock(endMs - 60_000);
  const store = createReportStore(db);
  const memory = createReportMemory(db);
  const record = vi.fn(async () => undefined);
  const runs = { record };
  const pauses = createPauses({ noun: 'report', store, runs, voice: channel.voice, clock, log });
  const service = { state: 'running', error: undefined as RackhandError | undefined };
  const read: Read = async <E extends GetEndpoint>(endpoint: E, input: object) => {
    if (service.error) throw service.error;
    const one = { name: 'VPS-10001', status: service.state, cpu: 0.5 };
    const answer = 'query' in input ? { points: [] } : 'params' in input ? one : { vps: [one] };
    return endpoint.data.parse(answer) as CallData<E>;
  };
  const content = reportContent.parse({ vps: '*', vpsCount: 1, settings: { post } });
  const recurrence = { every: 'day', at: '05:00', zone: 'UTC', quiet: [] } as const;
  const plan = { name: 'Morning', channel: 'C0OPS', recurrence, content };
  const report = await store.add({ teamId: 'T0ACME', userId: 'U0ALICE' }, plan, clock.now());
  if (!report) throw new Error('the name is taken');
  const begin = createDelivery({
    memory,
    unmade: { claim: store.claimUnmade, release: store.releaseUnmade },
    rest: createRest(store, pauses),
    voice: channel.voice,
    readFor: () => read,
    hours: createHoursStore(db),
    mutes: createMuteStore(db),
    clock,
    log,
  });
  const markPosting = vi.fn(async () => true);
  const due = (more: Partial<Due> = {}): Due => ({
    dueMs: endMs,
    attempt: 1,
    postingMs: null,
    untilMs: endMs + 6 * 3_600_000,
    isTooLate: () => false,
    willBeTriedAgain: () => true,
    skippedSinceMs: null,
    signal: new AbortController().signal,
    untilDue: async () => undefined,
    markPosting,
    ...more,
  });
  const stateOf = async ({ id }: Report) => (await store.get(id))?.state;
  return { begin, report, due, clock, service, memory, markPosting, record, stateOf, ...channel };
}

const notesOf = (words: ReportWords | undefined) => words?.outcome.notes?.join(' ') ?? '';

describe('a report that an interrupted attempt may have posted', () => {
  test('is posted as usual where it does not stand in the channel', async () => {
    const { begin, report, due, posts, followed } = await stage();
    await begin(report, due({ postingMs: endMs }));
    expect(notesOf(posts[0])).not.toContain('repeat');
    expect(followed).toMatchObject([{ ts: '1.0', mayBeFollowed: false }]);
  });

  test('is not posted again where it does: its thread and what it told are completed', async () => {
    const { begin, report, due, posts, followed, memory, markPosting } = await stage(
      createChannel([], { ts: '0.5' }),
    );
    await begin(report, due({ postingMs: endMs, isTooLate: () => true }));
    expect(posts).toEqual([]);
    expect(markPosting).not.toHaveBeenCalled();
    const mark = { reportId: report.id, dueMs: endMs };
    expect(followed).toEqual([{ ts: '0.5', mark, mayBeFollowed: true }]);
    expect(await memory.find(report.id)).toMatchObject({ untilMs: endMs });
  });

  test('is posted once more, marked as a possible repeat, where the channel cannot be read', async () => {
    const { begin, report, due, posts } = await stage(createChannel([], 'unreadable'));
    await begin(report, due({ postingMs: endMs }));
    expect(notesOf(posts[0])).toContain('This may be a repeat');
  });

  test('is looked for again while Slack cannot be asked, and at last posted as a possible repeat', async () => {
    const { begin, report, due, posts } = await stage(createChannel([], new Error('Slack is away')));
    await expect(begin(report, due({ postingMs: endMs }))).rejects.toThrow('Slack is away');
    expect(posts).toEqual([]);
    await begin(report, due({ postingMs: endMs, willBeTriedAgain: () => false }));
    expect(notesOf(posts[0])).toContain('This may be a repeat');
  });

  test('is passed over where it was not posted, and it is too late', async () => {
    const { begin, report, due, posts } = await stage();
    expect(await begin(report, due({ postingMs: endMs, isTooLate: () => true }))).toBe('passedOver');
    expect(posts).toEqual([]);
  });
});

describe('a report that cannot be made', () => {
  const failed = new RackhandError('service_failed', 'The hosting service failed.');

  test('is tried again for as long as it is made up for, and then says so in its channel', async () => {
    const { begin, report, due, posts, service, memory } = await stage();
    service.error = failed;
    await expect(begin(report, due())).rejects.toBe(failed);
    expect(posts).toEqual([]);
    await begin(report, due({ willBeTriedAgain: () => false }));
    expect(posts.map(({ outcome }) => outcome.title)).toEqual(['The report "Morning" could not be made']);
    expect(notesOf(posts[0])).toContain('The hosting service failed.');
    expect(await memory.find(report.id)).toBeUndefined();
  });

  test('has its planner told once in about a quarter of an hour, while it goes on to be tried', async () => {
    const { begin, report, due, told, service, clock, posts } = await stage();
    service.error = failed;
    const failsAt = async (minutes: number, dueMs = endMs) => {
      await clock.advanceTo(dueMs + minutes * 60_000, async () => undefined);
      const untilMs = dueMs + 6 * 3_600_000;
      await expect(begin(report, due({ dueMs, untilMs }))).rejects.toBe(failed);
    };
    await failsAt(8);
    expect(told).toEqual([]);
    for (const minutes of [16, 26, 36]) await failsAt(minutes);
    expect(told).toEqual(['U0ALICE: The report "Morning" could not be made so far']);
    expect(posts).toEqual([]);
    await failsAt(16, endMs + 86_400_000);
    expect(told).toHaveLength(2);
  });

  test('leaves it to its channel to say so where that is soon', async () => {
    const { begin, report, due, told, service, clock } = await stage();
    service.error = failed;
    await clock.advanceTo(endMs + 12 * 60_000, async () => undefined);
    await expect(begin(report, due({ untilMs: endMs + 15 * 60_000 }))).rejects.toBe(failed);
    expect(told).toEqual([]);
  });

  test('says nothing where it was posted already, or must not be any more', async () => {
    const { begin, report, due, posts, service } = await stage(createChannel([], { ts: '0.5' }));
    service.error = failed;
    await begin(report, due({ postingMs: endMs, willBeTriedAgain: () => false }));
    const signal = AbortSignal.abort(new Error('stopping'));
    await expect(begin(report, due({ willBeTriedAgain: () => false, signal }))).rejects.toThrow();
    expect(posts).toEqual([]);
  });
});

describe('the delivery of a report', () => {
  test('posts it with its picture, and keeps what it told', async () => {
    const { begin, report, due, posts, memory } = await stage();
    await begin(report, due());
    expect(posts).toHaveLength(1);
    expect(posts[0]?.outcome.title).toBe('Nothing stands out about VPS-10001');
    expect(notesOf(posts[0])).not.toMatch(/repeat|late|No report came/);
    expect(await memory.find(report.id)).toMatchObject({ untilMs: endMs, vps: { 'VPS-10001': {} } });
  });

  test('stays quiet while nothing changes, if the team wishes', async () => {
    const { begin, report, due, posts, service, markPosting } = await stage(createChannel(), 'changed');
    await begin(report, due());
    await begin(report, due());
    expect(posts).toHaveLength(1);
    expect(markPosting).toHaveBeenCalledTimes(1);
    service.state = 'stopped';
    await begin(report, due());
    await begin(report, due());
    expect(posts.map(({ outcome }) => outcome.title)).toEqual([
      'Nothing stands out about VPS-10001',
      'The VPS needs a look: VPS-10001 stopped',
    ]);
  });

  test('says which times were missed, even where it would stay quiet', async () => {
    const { begin, report, due, posts } = await stage(createChannel(), 'standsOut');
    await begin(report, due());
    expect(posts).toEqual([]);
    await begin(report, due({ skippedSinceMs: endMs - 86_400_000 }));
    expect(notesOf(posts[0])).toContain('No report came for the time of Friday 20 November 2026, 05:00');
  });

  test('says that it is late', async () => {
    const { begin, report, due, posts, clock } = await stage();
    await clock.advanceTo(endMs + 3_600_000, async () => undefined);
    await begin(report, due({ postingMs: endMs }));
    expect(notesOf(posts[0])).not.toContain('repeat');
    expect(notesOf(posts[0])).toContain('This is late: it was due on Saturday 21 November 2026, 05:00.');
  });

  test('says in plain words what Slack does not take, and rests where it does not take that either', async () => {
    const refused = { refusedAs: 'invalid_blocks' };
    const once = await stage(createChannel([refused]));
    await once.begin(once.report, once.due());
    expect(once.posts.map(({ outcome }) => outcome.title)).toEqual([
      'The report "Morning" could not be made',
    ]);
    expect(notesOf(once.posts[0])).toContain('Slack does not take what it says: invalid_blocks.');

    await database.db.deleteFrom('report').execute();
    const twice = await stage(createChannel([refused, refused]));
    await twice.begin(twice.report, twice.due());
    expect(twice.attempted).toHaveLength(2);
    expect(await twice.stateOf(twice.report)).toMatchObject({ kind: 'paused', reason: 'channel' });
    expect(twice.told).toEqual(['U0ALICE: The report "Morning" rests']);
  });

  test('waits for as long as Slack wants', async () => {
    const { begin, report, due, posts, clock, markPosting } = await stage(
      createChannel([{ againInMs: 5_000 }]),
    );
    const done = begin(report, due());
    await eventually(() => expect(markPosting).toHaveBeenCalledTimes(1));
    expect(posts).toEqual([]);
    await eventually(async () => {
      await clock.advanceTo(endMs + 5_000, async () => undefined);
      expect(posts).toHaveLength(1);
    });
    await done;
  });

  test('posts nothing where it must not any more', async () => {
    const { begin, report, due, posts, memory } = await stage();
    await begin(report, due({ markPosting: async () => false }));
    expect(posts).toEqual([]);
    expect(await memory.find(report.id)).toBeUndefined();
  });

  test('rests where the channel takes nothing, and tells whoever planned it', async () => {
    const { begin, report, due, told, record, stateOf } = await stage(createChannel(['gone']));
    await begin(report, due());
    expect(await stateOf(report)).toMatchObject({ kind: 'paused', reason: 'channel', byUserId: null });
    expect(told).toEqual(['U0ALICE: The report "Morning" rests']);
    expect(record).toHaveBeenCalledTimes(1);
  });

  test('rests where the key is not accepted, and is tried again where the service fails', async () => {
    const { begin, report, due, told, service, stateOf } = await stage();
    service.error = new RackhandError('service_failed', 'The service failed.');
    await expect(begin(report, due())).rejects.toMatchObject({ code: 'service_failed' });
    expect(await stateOf(report)).toMatchObject({ kind: 'active' });
    service.error = new RackhandError('key_rejected', 'The key is not accepted.');
    await begin(report, due());
    expect(await stateOf(report)).toMatchObject({ kind: 'paused', reason: 'key' });
    expect(told).toEqual(['U0ALICE: The report "Morning" rests']);
  });
});
