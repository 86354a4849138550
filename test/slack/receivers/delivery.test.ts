import { expect, test } from 'vitest';
import { useStack } from '../../use-stack.ts';

const running = useStack();

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

test('an ack does not wait for a slow hosting service', async () => {
  // Slack waits 3 s for an ack.
  await running.service.fault('slow:20000', { times: 20 });
  expect((await running.slack.slash('list')).acknowledged).toBe(true);
});
