import { describe, expect, test } from 'vitest';
import { eventually } from '../../../eventually.ts';
import {
  begins,
  breached,
  createFakeChannel,
  ends,
  minuteMs,
  nowMs,
  useIncidentNotifier,
} from './incident-notifier-fixture.ts';

const setUp = useIncidentNotifier();

describe('the message of a watch', () => {
  test('is posted once, edited when it changes, closed, and forgotten', async () => {
    const { notify, step, posts, edited, replies, current } = await setUp();
    await notify();
    await notify();
    expect(posts.map(({ title }) => title)).toEqual(['⚠ VPS-10004: CPU 93% for 12 min (over 90%), peak 97%']);
    expect(edited).toEqual([]);
    await step([begins('VPS-10007')]);
    await notify();
    expect(edited.at(-1)?.title).toMatch(
      /^⚠ 2 VPS with CPU over 90%: VPS-10004 93% for 12 min and VPS-10007 93%$/,
    );
    expect(replies.map(({ title }) => title)).toEqual([
      '⚠ VPS-10007: CPU 93% for 12 min (over 90%), peak 97%',
    ]);
    await step([ends('VPS-10004'), ends('VPS-10007')]);
    await notify();
    expect(edited.at(-1)?.title).toBe('✓ 2 VPS: CPU over 90% ended after 12 min, peak 97%');
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
    expect(edited.at(-1)?.title).toBe('⚠ VPS-10004: CPU over 90% for 12 min, now 20%, peak 97%');
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

    const blind = await setUp(createFakeChannel([new Error('the connection broke')]));
    await expect(blind.notify()).rejects.toThrow();
    blind.sought.answer = { kind: 'unreadable' };
    await blind.notify();
    expect(blind.posts[0]?.notes?.join(' ')).toContain('This may be a repeat');
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
    expect(posts).toEqual([{ title: '⚠ VPS-10004: CPU 93% for 12 min (over 90%), peak 97%' }]);
    expect((await current()).alertState).toMatchObject({ messageTs: '1.000100', postingMs: null });

    const other = await setUp(createFakeChannel([refused, refused]));
    await other.notify();
    expect((await other.current()).state).toMatchObject({ kind: 'paused', reason: 'channel' });
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
    expect(edited.at(-1)?.title).toBe('⚠ VPS-10004: CPU 93% for 13 min (over 90%), peak 97%');
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
});
