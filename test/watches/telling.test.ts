import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Outcome } from '../../src/operations/outcome.ts';
import { createPauses } from '../../src/reports/pauses.ts';
import type { Sought, Spoken } from '../../src/reports/voice.ts';
import { type OpenDatabase, openDatabase } from '../../src/storage/database.ts';
import { calm } from '../../src/watches/course.ts';
import { follow } from '../../src/watches/incident.ts';
import { createTelling } from '../../src/watches/telling.ts';
import type { Edited, WatchVoice } from '../../src/watches/voice.ts';
import type { Watch } from '../../src/watches/watch.ts';
import { createWatchStore } from '../../src/watches/watch-store.ts';
import { eventually } from '../eventually.ts';
import { createManualClock } from '../reports/schedule/manual-clock.ts';

const log = { warn: vi.fn(), error: vi.fn(), info: vi.fn(), debug: vi.fn() };
const nowMs = Date.parse('2026-11-23T08:00Z');
const minuteMs = 60_000;

/** A channel that answers as it is told, then takes everything. */
function createChannel(answers: readonly (Spoken | Error)[] = [], edits: readonly Edited[] = []) {
  const left = [...answers];
  const editsLeft = [...edits];
  const posts: Outcome[] = [];
  const edited: Outcome[] = [];
  const replies: Outcome[] = [];
  const told: string[] = [];
  const sought = { answer: 'none' as Sought, times: 0 };
  const attempts = { count: 0 };
  const whileSpeaking = { work: async (): Promise<void> => undefined };
  const voice: WatchVoice = {
    async post(_, __, outcome) {
      attempts.count += 1;
      const answer = left.shift() ?? { ts: '1.000100' };
      await whileSpeaking.work();
      whileSpeaking.work = async () => undefined;
      if (answer instanceof Error) throw answer;
      if (answer !== 'gone' && 'ts' in answer) posts.push(outcome);
      return answer;
    },
    async find() {
      sought.times += 1;
      return sought.answer;
    },
    async edit(_, ts, outcome) {
      const answer = editsLeft.shift() ?? { ts };
      await whileSpeaking.work();
      whileSpeaking.work = async () => undefined;
      if (typeof answer === 'object' && 'ts' in answer) edited.push(outcome);
      return answer;
    },
    async reply(_, ts, outcome) {
      replies.push(outcome);
      return { ts };
    },
    say: async () => ({ ts: '1.0' }),
    async tellPerson({ userId }, { title }) {
      told.push(`${userId}: ${title}`);
    },
  };
  return { voice, posts, edited, replies, told, sought, attempts, whileSpeaking };
}

let database: OpenDatabase;
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:', { log });
});
afterEach(() => database.close());

const over = { ...calm, isOver: true, sinceMs: nowMs - 12 * minuteMs, worst: 97, latest: 93 };
const back = { ...calm, backMs: nowMs };
const begins = (vps: string) => ({ vps, before: calm, after: over, isGone: false });
const ends = (vps: string) => ({ vps, before: over, after: back, isGone: false });

/** Sets a watch on which one VPS is over, with what tells of it. */
async function stage(channel = createChannel(), vps: readonly string[] = ['VPS-10004']) {
  const store = createWatchStore(database.db);
  const clock = createManualClock(nowMs);
  const pauses = createPauses({
    noun: 'watch',
    store,
    runs: { record: vi.fn(async () => undefined) },
    voice: channel.voice,
    clock,
    log,
  });
  const tell = createTelling({ store, voice: channel.voice, clock, log });
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
  const step = async (steps: Parameters<typeof follow>[1]) => {
    const watch = await current();
    const incident = follow(watch.standing.incident ?? undefined, steps, clock.now()) ?? null;
    await store.keep(watch, { ...watch.standing, incident });
  };
  await step(vps.map(begins));
  return {
    ...channel,
    clock,
    store,
    pauses,
    current,
    step,
    leave: tell.leave,
    tell: async () => tell(await current(), signal),
    tellOf: (watch: Watch) => tell(watch, signal),
  };
}

describe('the message of a watch', () => {
  test('is posted once, edited as it changes, closed, and forgotten', async () => {
    const { tell, step, posts, edited, replies, current } = await stage();
    await tell();
    await tell();
    expect(posts.map(({ title }) => title)).toEqual(['⚠ VPS-10004: CPU 93 % for 12 min (over 90 %)']);
    expect(edited).toEqual([]);
    await step([begins('VPS-10007')]);
    await tell();
    expect(edited.at(-1)?.title).toMatch(
      /^⚠ 2 VPS with CPU over 90 %: VPS-10004 93 % for 12 min and VPS-10007 93 %$/,
    );
    expect(replies.map(({ title }) => title)).toEqual(['⚠ VPS-10007: CPU 93 % for 12 min (over 90 %)']);
    await step([ends('VPS-10004'), ends('VPS-10007')]);
    await tell();
    expect(edited.at(-1)?.title).toBe('✓ 2 VPS: CPU over 90 % ended after 12 min, at most 97 %');
    expect((await current()).standing).toMatchObject({ incident: null, messageTs: null, postingMs: null });
    expect(posts).toHaveLength(1);
  });

  test('says what is on its way back, and not that its figure is beyond the threshold', async () => {
    const { tell, step, edited } = await stage(undefined, ['VPS-10004', 'VPS-10007']);
    await tell();
    const near = (vps: string) => ({ vps, before: over, after: { ...over, latest: 20 }, isGone: false });
    await step([near('VPS-10004'), { ...begins('VPS-10009') }]);
    await tell();
    expect(edited.at(-1)?.title).toBe(
      '⚠ 3 VPS with CPU over 90 %: VPS-10007 93 % for 12 min, VPS-10009 93 % and VPS-10004 now 20 %',
    );
    await step([ends('VPS-10007'), ends('VPS-10009')]);
    await tell();
    expect(edited.at(-1)?.title).toBe('⚠ VPS-10004: CPU over 90 % for 12 min, now 20 %');
  });

  test('is looked for after an interruption between its post and its record, and not posted again', async () => {
    const staged = await stage(createChannel([new Error('the connection broke')]));
    const { tell, posts, edited, sought, current } = staged;
    await expect(tell()).rejects.toThrow('the connection broke');
    expect((await current()).standing).toMatchObject({ messageTs: null, postingMs: nowMs });
    sought.answer = { ts: '1.000200' };
    await tell();
    expect(posts).toEqual([]);
    expect(sought.times).toBe(1);
    expect((await current()).standing).toMatchObject({ messageTs: '1.000200', postingMs: null });
    expect(edited).toHaveLength(1);
  });

  test('is posted plainly where it is not found, and as a possible repeat where nobody may look', async () => {
    const lost = await stage(createChannel([new Error('the connection broke')]));
    await expect(lost.tell()).rejects.toThrow();
    await lost.tell();
    expect(lost.posts[0]?.notes?.join(' ')).not.toContain('repeat');

    await database.db.deleteFrom('watch').execute();
    const blind = await stage(createChannel([new Error('the connection broke')]));
    await expect(blind.tell()).rejects.toThrow();
    blind.sought.answer = 'unreadable';
    await blind.tell();
    expect(blind.posts[0]?.notes?.join(' ')).toContain('This may be a repeat');
  });

  test('is closed where somebody pauses the watch while it is posted, or edited', async () => {
    for (const during of ['post', 'edit'] as const) {
      await database.db.deleteFrom('watch').execute();
      const channel = createChannel();
      const staged = await stage(channel);
      const { tell, step, current, store, edited } = staged;
      if (during === 'edit') {
        await tell();
        await step([begins('VPS-10007')]);
      }
      channel.whileSpeaking.work = async () =>
        void (await store.pause(await current(), 'person', 'U0BOB', nowMs));
      await tell();
      expect(edited.at(-1)?.title).toContain('CPU: the watch was changed');
    }
  });

  test('is one line where Slack does not take all of it, and rests where it does not take that', async () => {
    const refused = { refusedAs: 'invalid_blocks' };
    const { tell, posts, current } = await stage(createChannel([refused]));
    await tell();
    expect(posts).toEqual([{ title: '⚠ VPS-10004: CPU 93 % for 12 min (over 90 %)' }]);
    expect((await current()).standing).toMatchObject({ messageTs: '1.000100', postingMs: null });

    await database.db.deleteFrom('watch').execute();
    const other = await stage(createChannel([refused, refused]));
    await other.tell();
    expect((await other.current()).state).toMatchObject({ kind: 'paused', reason: 'channel' });
  });

  test('is closed as soon as Slack lets it where its watch does not look any more', async () => {
    const { tell, leave, current, clock, edited } = await stage(
      createChannel([], [{ againInMs: 5_000 }, { ts: '1.000100' }]),
    );
    await tell();
    const left = leave(await current(), 'the watch was paused');
    await eventually(async () => {
      await clock.advanceTo(clock.now() + 5_000, async () => undefined);
      expect(edited.map(({ title }) => title)).toEqual([
        'CPU: the watch was paused; VPS-10004 had not come back',
      ]);
    });
    await left;
  });

  test('claims no more than could be read', async () => {
    const { tell, step, clock, edited } = await stage();
    await tell();
    await clock.advanceTo(nowMs + 40 * minuteMs, async () => undefined);
    await step([
      { vps: 'VPS-10004', before: over, after: { ...over, unreadMs: nowMs + minuteMs }, isGone: false },
    ]);
    await tell();
    expect(edited.at(-1)?.title).toBe('⚠ VPS-10004: CPU 93 % for 13 min (over 90 %)');
    expect(edited.at(-1)?.notes?.join(' ')).toContain(
      'VPS-10004 could not be read for 39 min: nobody knows whether it is over.',
    );
  });

  test('is posted by one of two processes that go by the same round', async () => {
    const { tellOf, current, posts } = await stage();
    const watch = await current();
    await Promise.all([tellOf(watch), tellOf(watch), tellOf(watch)]);
    expect(posts).toHaveLength(1);
  });

  test('waits for as long as Slack wants, and after that is tried the next time as if nothing had been', async () => {
    const { tell, clock, posts, sought, attempts, current } = await stage(
      createChannel([{ againInMs: 5_000 }, { againInMs: 600_000 }]),
    );
    const done = tell();
    await eventually(async () => {
      if (attempts.count === 1) await clock.advanceTo(clock.now() + 5_000, async () => undefined);
      expect(attempts.count).toBe(2);
    });
    await done;
    expect(clock.now()).toBeGreaterThanOrEqual(nowMs + 5_000);
    expect((await current()).standing).toMatchObject({ postingMs: null, messageTs: null });
    await tell();
    expect(posts).toHaveLength(1);
    expect(sought.times).toBe(0);
  });

  test('rests the watch where the channel takes nothing, and tells whoever made it once', async () => {
    const { tell, pauses, told, current } = await stage(createChannel(['gone']));
    await tell();
    await pauses.tell();
    await pauses.tell();
    expect((await current()).state).toEqual({ kind: 'paused', reason: 'channel', byUserId: null });
    expect(told).toEqual(['U0ALICE: The watch "CPU" rests']);
  });

  test('that somebody has deleted is posted anew while something is over, and else let be', async () => {
    const { tell, step, posts, edited } = await stage(createChannel([], ['missing', 'missing']));
    await tell();
    await step([begins('VPS-10007')]);
    await tell();
    await tell();
    expect(posts).toHaveLength(2);
    await step([ends('VPS-10004'), ends('VPS-10007')]);
    await tell();
    await tell();
    expect(posts).toHaveLength(2);
    expect(edited).toEqual([]);
  });

  test('is brought up to date from time to time while nothing else changes', async () => {
    const { tell, clock, edited } = await stage();
    await tell();
    await clock.advanceTo(nowMs + 9 * minuteMs, async () => undefined);
    await tell();
    expect(edited).toEqual([]);
    await clock.advanceTo(nowMs + 10 * minuteMs, async () => undefined);
    await tell();
    expect(edited.map(({ title }) => title)).toEqual(['⚠ VPS-10004: CPU 93 % for 22 min (over 90 %)']);
  });

  test('tells of 50 VPS at once readably', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `VPS-${10_001 + index}`);
    const { tell, posts } = await stage(createChannel(), names);
    await tell();
    const [post] = posts;
    expect(post?.title).toMatch(
      /^⚠ 50 VPS with CPU over 90 %: VPS-10001 93 % for 12 min, VPS-10002 93 %, VPS-10003 93 % and 47 more$/,
    );
    expect(post?.title.length).toBeLessThan(150);
    expect(post?.table?.rows).toHaveLength(20);
    expect(post?.notes?.join(' ')).toContain('20 of 50 VPS');
    expect(post?.next?.length).toBeLessThanOrEqual(5);
    expect(post?.choose?.map(({ operation }) => operation)).toEqual(['graph', 'mute']);
  });
});
