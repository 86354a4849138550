import { describe, expect, test } from 'vitest';
import { RackhandError } from '../../../../src/errors.ts';
import type { Outcome } from '../../../../src/operations/define/outcome.ts';
import { endMs } from '../../shared/histories.ts';
import { useReportDelivery } from './report-delivery-fixture.ts';

const setUp = useReportDelivery();
const notesOf = (post: { readonly outcome: Outcome } | undefined) => post?.outcome.notes?.join(' ') ?? '';

describe('a report that cannot be made', () => {
  test('waits while Slack does not say what its creator can view, and pauses if it is too little', async () => {
    const { deliver, report, due, listPosts, creator, stateOf, listNotices } = await setUp();
    creator.standing = 'unknown';
    await expect(deliver(report, due())).rejects.toMatchObject({ code: 'member_unknown' });
    creator.standing = 'denied';
    await deliver(report, due());
    expect(await stateOf(report)).toMatchObject({ kind: 'paused', reason: 'creator' });
    expect(await listPosts()).toEqual([]);
    // Whoever resumes it becomes its creator, so the admins decide.
    expect(await listNotices()).toEqual([
      'U0BOB, or []: Report "Morning" is paused',
      'U0CAROL, or []: Report "Morning" is paused',
      'C0OPS, or []: Report "Morning" is paused',
    ]);
  });

  const failed = new RackhandError('service_failed', 'The hosting service failed.');

  test('is retried for a quarter of its period, and then says so in its channel', async () => {
    const { deliver, report, due, listPosts, service, baselines } = await setUp();
    service.error = failed;
    await expect(deliver(report, due())).rejects.toBe(failed);
    expect(await listPosts()).toEqual([]);
    await deliver(report, due({ willRetry: () => false }));
    expect((await listPosts()).map(({ outcome }) => outcome.title)).toEqual(['Report "Morning" failed']);
    expect(notesOf((await listPosts())[0])).toContain('The hosting service failed.');
    expect(await baselines.find(report.id)).toBeUndefined();
  });
});

describe('the delivery of a report', () => {
  test('posts it with its chart, and stores its baseline', async () => {
    const { deliver, report, due, listPosts, baselines } = await setUp();
    await deliver(report, due());
    expect(await listPosts()).toHaveLength(1);
    expect((await listPosts())[0]?.outcome.title).toBe('Nothing stands out about VPS-10001');
    expect(notesOf((await listPosts())[0])).not.toMatch(/repeat|late|No reports were posted/);
    expect(await baselines.find(report.id)).toMatchObject({ untilMs: endMs, vps: { 'VPS-10001': {} } });
  });

  test('posts nothing while nothing changes, if the team wants that', async () => {
    const { deliver, report, due, listPosts, service } = await setUp('changed');
    await deliver(report, due());
    await deliver(report, due({ dueMs: endMs + 1 }));
    expect(await listPosts()).toHaveLength(1);
    service.state = 'stopped';
    await deliver(report, due({ dueMs: endMs + 2 }));
    await deliver(report, due({ dueMs: endMs + 3 }));
    expect((await listPosts()).map(({ outcome }) => outcome.title)).toEqual([
      'Nothing stands out about VPS-10001',
      'The VPS needs a look: VPS-10001 stopped',
    ]);
  });

  test('is paused if the key is rejected, and tried again if the service fails', async () => {
    const { deliver, report, due, listNotices, service, stateOf } = await setUp();
    service.error = new RackhandError('service_failed', 'The service failed.');
    await expect(deliver(report, due())).rejects.toMatchObject({ code: 'service_failed' });
    expect(await stateOf(report)).toMatchObject({ kind: 'active' });
    service.error = new RackhandError('key_rejected', 'The key is not accepted.');
    await deliver(report, due());
    expect(await stateOf(report)).toMatchObject({ kind: 'paused', reason: 'key' });
    expect(await listNotices()).toEqual([
      'U0ALICE, or ["U0BOB","U0CAROL"]: Report "Morning" is paused',
      'C0OPS, or []: Report "Morning" is paused',
    ]);
  });
});
