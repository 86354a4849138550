import { describe, expect, test } from 'vitest';
import { RackhandError } from '../../../../src/errors.ts';
import type { ReportPost } from '../../../../src/monitoring/reports/delivery/report-publisher.ts';
import { eventually } from '../../../eventually.ts';
import { endMs } from '../../shared/histories.ts';
import { createFakeChannel, useReportDelivery } from './report-delivery-fixture.ts';

const setUp = useReportDelivery();
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
});

describe('a report that cannot be made', () => {
  test('waits while Slack does not say what its creator can view, and pauses if it is too little', async () => {
    const { deliver, report, due, posts, creator, stateOf, listPauseNotices } = await setUp();
    creator.standing = 'unknown';
    await expect(deliver(report, due())).rejects.toMatchObject({ code: 'member_unknown' });
    creator.standing = 'denied';
    await deliver(report, due());
    expect(await stateOf(report)).toMatchObject({ kind: 'paused', reason: 'creator' });
    expect(posts).toEqual([]);
    // Whoever resumes it becomes its creator, so the admins decide.
    expect(await listPauseNotices()).toEqual([
      'U0BOB, or []: Report "Morning" is paused',
      'U0CAROL, or []: Report "Morning" is paused',
    ]);
  });

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

  test('says what Slack rejected, and is paused if Slack rejects that too', async () => {
    const refused = { kind: 'rejected', error: 'invalid_blocks' } as const;
    const once = await setUp(createFakeChannel([refused]));
    await once.deliver(once.report, once.due());
    expect(once.posts.map(({ outcome }) => outcome.title)).toEqual(['Report "Morning" failed']);
    expect(notesOf(once.posts[0])).toContain('Slack rejected the message: invalid_blocks.');

    const twice = await setUp(createFakeChannel([refused, refused]));
    await twice.deliver(twice.report, twice.due());
    expect(twice.attempted).toHaveLength(2);
    expect(await twice.stateOf(twice.report)).toMatchObject({ kind: 'paused', reason: 'channel' });
    expect(await twice.listPauseNotices()).toEqual([
      'U0ALICE, or ["U0BOB","U0CAROL"]: Report "Morning" is paused',
    ]);
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

  test('is paused if the channel accepts nothing, and its owner is notified', async () => {
    const { deliver, report, due, listPauseNotices, addAuditEntry, stateOf } = await setUp(
      createFakeChannel([{ kind: 'channelGone' }]),
    );
    await deliver(report, due());
    expect(await stateOf(report)).toMatchObject({ kind: 'paused', reason: 'channel', byUserId: null });
    expect(await listPauseNotices()).toEqual(['U0ALICE, or ["U0BOB","U0CAROL"]: Report "Morning" is paused']);
    expect(addAuditEntry).toHaveBeenCalledTimes(1);
  });

  test('is paused if the key is rejected, and tried again if the service fails', async () => {
    const { deliver, report, due, listPauseNotices, service, stateOf } = await setUp();
    service.error = new RackhandError('service_failed', 'The service failed.');
    await expect(deliver(report, due())).rejects.toMatchObject({ code: 'service_failed' });
    expect(await stateOf(report)).toMatchObject({ kind: 'active' });
    service.error = new RackhandError('key_rejected', 'The key is not accepted.');
    await deliver(report, due());
    expect(await stateOf(report)).toMatchObject({ kind: 'paused', reason: 'key' });
    expect(await listPauseNotices()).toEqual(['U0ALICE, or ["U0BOB","U0CAROL"]: Report "Morning" is paused']);
  });
});
