import { expect, test } from 'vitest';
import { z } from 'zod';
import { startApp } from '../../start-app.ts';

async function startWebhook(scopes: readonly string[]) {
  const app = await startApp({ scopes });
  const { env } = z
    .looseObject({ env: z.record(z.string(), z.string()) })
    .parse(await app.sandbox.get('settings'));
  const url = env.SLACK_WEBHOOK_URL;
  const post = async (body: string, to = url ?? '') => {
    const response = await fetch(to, { method: 'POST', body });
    return `${response.status} ${await response.text()}`;
  };
  return { ...app, url, post };
}

test('a webhook posts text and blocks to the general channel, also in a form', async () => {
  const { post, sandbox } = await startWebhook(['incoming-webhook']);
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Deployed' } }];
  expect(await post(JSON.stringify({ text: 'one', blocks }))).toBe('200 ok');
  expect(await post(String(new URLSearchParams({ payload: '{"text":"two"}' })))).toBe('200 ok');
  expect(await sandbox.messages('C0GENERAL', 'U0ALICE')).toMatchObject([
    { text: 'one', blocks: [{ type: 'section' }], bot_id: 'B0ACME' },
    { text: 'two' },
  ]);
});

test('a webhook refuses in plain text, with the status of Slack, and the traffic shows why', async () => {
  const { post, url = '', client, sandbox } = await startWebhook(['incoming-webhook', 'channels:manage']);
  expect(await post('no JSON')).toBe('400 invalid_payload');
  expect(await post('{}')).toBe('400 no_text');
  expect(await post('{"blocks":[{"type":"nothing"}]}')).toBe('400 invalid_blocks');
  expect(await post('{"text":"x"}', `${url}x`)).toBe('403 invalid_token');
  expect(await post('{"text":"x"}', url.replace('B0ACME', 'B0NONE'))).toBe('404 no_service');
  expect(await post('{"text":"x"}', url.replace('T0ACME', 'T0NONE'))).toBe('404 no_team');
  expect(await sandbox.traffic()).toContainEqual(
    expect.objectContaining({ kind: 'incoming_webhook', refused: 'no_text', status: 400 }),
  );
  await client.auth.revoke();
  expect(await post('{"text":"x"}')).toBe('404 no_service');
});

test('there is no webhook without the scope', async () => {
  const { url, sandbox } = await startWebhook([]);
  expect(url).toBeUndefined();
  const response = await fetch(`${sandbox.url}/services/T0ACME/B0ACME/sandboxIncomingWebhook24`, {
    method: 'POST',
    body: '{"text":"x"}',
  });
  expect(response.status).toBe(404);
});
