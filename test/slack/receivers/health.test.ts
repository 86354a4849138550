import { describe, expect, test } from 'vitest';
import { startSandboxes } from '../../sandboxes.ts';
import { useStack } from '../../use-stack.ts';

describe.each(['socket', 'http'] as const)('over %s', (delivery) => {
  const running = useStack({ delivery }, 'group');

  test('the server reports the app as alive and ready', async () => {
    expect((await fetch(`${running.serverUrl}/healthz`)).status).toBe(200);
    const ready = await fetch(`${running.serverUrl}/readyz`);
    const ok = { ok: true, since: expect.any(String) };
    expect(await ready.json()).toEqual({
      status: 'ready',
      parts: { database: ok, clock: ok, slack: ok, service: ok },
      messages: { givenUp: [], late: 0 },
      jobsDeadLettered: [],
      unreadableRuns: [],
      unreadableRows: [],
    });
  });

  test('the metrics count runs, calls, waits and acks without naming anyone', async () => {
    const { slack } = running;
    await slack.slash('reboot VPS-10001');
    await slack.click(await slack.message('Reboot web-01 (VPS-10001)?'), 'confirm');
    await slack.message(/Reboot web-01 \(VPS-10001\): 🔄 In progress/);
    const text = await (await fetch(`${running.serverUrl}/metrics`)).text();
    expect(text).toMatch(/^rackhand_runs_total\{outcome="done"\} 1$/m);
    expect(text).toMatch(/^rackhand_service_calls_total\{status="200"\} \d+$/m);
    expect(text).toMatch(/^rackhand_quota_wait_seconds_count\{lane="people"\} \d+$/m);
    expect(text).toMatch(/^rackhand_slack_ack_seconds_count\{kind="command"\} 1$/m);
    expect(text).toMatch(/^rackhand_slack_ack_seconds_count\{kind="block_actions"\} 1$/m);
    expect(text).toMatch(/^rackhand_slack_connections \d$/m);
    expect(text).toMatch(/^rackhand_slack_calls_total\{method="chat.postMessage",result="ok"\} \d+$/m);
    expect(text).not.toMatch(/VPS|T0ACME|U0ALICE|xoxb|sandbox-key/);
  });
});

test('an app without a Slack connection is alive but not ready', async () => {
  const sandboxes = await startSandboxes();
  const app = await sandboxes.startApp();
  await sandboxes.closeSlack();
  await expect.poll(async () => (await fetch(`${app.url}/readyz`)).status).toBe(503);
  expect(await (await fetch(`${app.url}/readyz`)).json()).toMatchObject({
    parts: { database: { ok: true }, slack: { ok: false, problem: 'there is no open connection' } },
  });
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
  await app.stop();
  await sandboxes.close();
});
