import { afterEach, describe, expect, test } from 'vitest';
import { type RunningStack, startStack } from '../../stack.ts';

let running: RunningStack;
afterEach(() => running.close());

describe('Socket Mode', () => {
  test('keeps delivering while one of two connections is lost', async () => {
    running = await startStack();
    const { slack } = running;
    await slack.fault('drop_socket');
    for (const vps of ['VPS-10001', 'VPS-10002', 'VPS-10003']) {
      expect((await slack.slash(`show ${vps}`)).acknowledged).toBe(true);
      await slack.message(vps);
    }
  });

  test('keeps delivering while all connections are renewed', async () => {
    running = await startStack();
    const { slack } = running;
    await slack.act('clock', { advance_ms: 24 * 3_600_000 });
    for (const vps of ['VPS-10001', 'VPS-10002', 'VPS-10003']) {
      expect((await slack.slash(`show ${vps}`)).acknowledged).toBe(true);
      await slack.message(vps);
    }
  });
});

describe('an ack', () => {
  test('does not wait for a slow hosting service', async () => {
    running = await startStack();
    const { slack, service } = running;
    // Slack waits 3 s for an ack.
    await service.fault('slow:20000', { times: 20 });
    expect((await slack.slash('list')).acknowledged).toBe(true);
  });
});
