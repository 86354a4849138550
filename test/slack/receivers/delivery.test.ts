import { createHmac } from 'node:crypto';
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

describe('signed HTTP', () => {
  const body = new URLSearchParams({
    command: '/vps',
    text: 'list',
    team_id: 'T0ACME',
    user_id: 'U0ALICE',
    trigger_id: '1.2',
  }).toString();

  async function deliver(url: string, { secret, atMs }: { secret: string; atMs: number }) {
    const timestamp = `${Math.floor(atMs / 1000)}`;
    const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
    };
    return (await fetch(url, { method: 'POST', headers, body })).status;
  }

  test('is rejected with another secret, and if it is stale', async () => {
    running = await startStack({ delivery: 'http' });
    const url = running.appUrl;
    expect(await deliver(url, { secret: 'sandbox-signing-secret', atMs: Date.now() })).toBe(200);
    expect(await deliver(url, { secret: 'another', atMs: Date.now() })).toBe(401);
    expect(await deliver(url, { secret: 'sandbox-signing-secret', atMs: Date.now() - 6 * 60_000 })).toBe(401);
  });
});

describe('two workspaces', () => {
  test('see nothing of each other and use separate tokens', async () => {
    running = await startStack();
    const { slack } = running;
    await slack.slash('help', { user: 'U0GWEN', channel: 'C0GLOBEX', team: 'T0GLOBEX' });
    await slack.message('What you can do', 'C0GLOBEX', 'U0GWEN', 'T0GLOBEX');
    expect(await slack.messages()).toEqual([]);
  });
});
