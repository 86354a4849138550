import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createKeyModalDriver } from '../slack/modals/api-key/api-key-driver.ts';
import { installAs } from '../slack/oauth/install-driver.ts';
import { useStack } from '../use-stack.ts';

const running = useStack({}, 'group');

const command = { team: 'T0ACME', user: 'U0ALICE', channel: 'C0OPS', command: '/vps', text: 'help' };
const json = { 'content-type': 'application/json' };

/** Sends a request with any headers, also with those that `fetch` doesn't let a caller set. */
async function send(url: string, method: string, headers: Record<string, string>, body?: object) {
  const sent = request(url, { method, headers });
  sent.end(body && JSON.stringify(body));
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    sent.on('response', resolve).on('error', reject),
  );
  return { status: response.statusCode, body: await text(response) };
}

describe.each([
  ['Slack', () => running.slack.url, '/sandbox/slash', command],
  ['hosting service', () => running.service.url, '/sandbox/load', { vps: 'VPS-10001', load: { cpu: 1 } }],
])('the local %s', (_, url, path, body) => {
  test('rejects a hostname that a website could have rebound to this machine', async () => {
    const headers = { ...json, host: 'evil.example' };
    expect((await send(`${url()}/sandbox/overview`, 'GET', headers)).status).toBe(403);
    expect((await send(`${url()}${path}`, 'POST', headers, body)).status).toBe(403);
  });

  test.each([
    ['of another origin', { ...json, origin: 'https://evil.example' }],
    ['of another site', { ...json, 'sec-fetch-site': 'cross-site' }],
    ['from a sandboxed frame', { ...json, origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ])('rejects a change %s', async (__, headers) => {
    expect((await send(`${url()}${path}`, 'POST', headers, body)).status).toBe(403);
  });

  test.each([
    ['as a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['as text', { 'content-type': 'text/plain' }],
    ['without a type', {}],
  ])('rejects a change sent %s, which a website could send without asking', async (__, headers) => {
    expect((await send(`${url()}${path}`, 'POST', headers, body)).status).toBe(415);
  });

  test('accepts the same change from this machine', async () => {
    expect((await send(`${url()}${path}`, 'POST', json, body)).status).toBe(200);
  });
});

test('the recorded traffic has no API key that was typed, and no token', async () => {
  const { slack } = running;
  const alice = createKeyModalDriver(slack, { user: 'U0ALICE', channel: 'C0OPS', team: 'T0ACME' });
  await alice.type('connect');
  await alice.send('sandbox-key-full', '60');
  await installAs(running.serverUrl, 'T0INITECH/U0ERIN');
  const { body } = await send(`${slack.url}/sandbox/traffic`, 'GET', {});
  expect(body).toContain('oauth.v2.access');
  expect(body).toContain('view_submission');
  expect(body).not.toMatch(/sandbox-key-full|xoxb-|sandbox-client-secret/);
});
