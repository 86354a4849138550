import { expect, test } from 'vitest';
import { grantAll } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';

const running = useStack({ grants: grantAll('destroy', 'U0BOB') });

const faults = {
  'one of two connections is lost': () => running.slack.fault('drop_socket'),
  'all connections are renewed': () => running.slack.act('clock', { advance_ms: 24 * 3_600_000 }),
};

test.each(Object.entries(faults))('Socket Mode keeps delivering while %s', async (_, begin) => {
  await begin();
  for (const vps of ['VPS-10001', 'VPS-10002', 'VPS-10003']) {
    expect((await running.slack.slash(`show ${vps}`)).acknowledged).toBe(true);
    await running.slack.message(vps);
  }
});

test("a next step's button without a confirmation runs once, however often it is pressed", async () => {
  const { slack, service } = running;
  await service.fault('status:500', { method: 'POST' });
  await slack.slash('snapshot create VPS-10001 nightly');
  const failed = await slack.message('Take snapshot nightly of web-01 (VPS-10001): ❌ Failed');
  await Promise.all([1, 2, 3].map(() => slack.click(failed, 'Try Again')));
  await slack.message('Take snapshot nightly of web-01 (VPS-10001): 🔄 In progress');
  // The app has nothing more to post when it has answered this.
  await slack.slash('show VPS-10012');
  await slack.message('VPS-10012');
  expect(await service.changes()).toHaveLength(2);
});

test('an ack does not wait for a slow hosting service', async () => {
  // Slack waits 3 s for an ack.
  await running.service.fault('slow:20000', { times: 20 });
  expect((await running.slack.slash('list')).acknowledged).toBe(true);
});
