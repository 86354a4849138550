import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fullManifest, type Sandbox, startHttpApp, startSandbox } from '../harness.ts';

interface Seen {
  readonly path: string | undefined;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

/**
 * Serves a plain receiver with the given responses. Records every request except challenges, which
 * get `reply`.
 */
async function startReceiver(
  answer: (seen: Seen) => { status: number; body?: string; headers?: Record<string, string> } | undefined,
  reply?: string,
) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const challenge = /"challenge":"([^"]+)"/.exec(body)?.[1];
    if (challenge) return void response.end(reply ?? challenge);
    const one = { path: request.url, headers: request.headers, body };
    seen.push(one);
    const told = answer(one);
    if (told) response.writeHead(told.status, told.headers).end(told.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port');
  const origin = `http:http://127.0.0.1:${address.port}` as const;
  return { seen, origin, delivery: `${origin}/slack/events` as const };
}

const slash = (sandbox: Sandbox) =>
  sandbox.post('slash', { user: 'U0ALICE', channel: 'C0OPS', command: '/vps', text: 'list' });
const mention = (sandbox: Sandbox) =>
  sandbox.post('mention', { user: 'U0ALICE', channel: 'C0OPS', text: '@Tester hi' });

describe('a request', () => {
  test('is a form, signed with the real time', async () => {
    const { seen, delivery } = await startReceiver(() => ({ status: 200 }));
    const sandbox = await startSandbox({ delivery });
    await slash(sandbox);
    const headers = seen[0]?.headers ?? {};
    const body = seen[0]?.body ?? '';
    const timestamp = String(headers['x-slack-request-timestamp']);
    const hmac = createHmac('sha256', 'sandbox-signing-secret').update(`v0:${timestamp}:${body}`);
    expect(headers['x-slack-signature']).toBe(`v0=${hmac.digest('hex')}`);
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
      command: '/vps',
      text: 'list',
      user_id: 'U0ALICE',
      channel_id: 'C0OPS',
      team_id: 'T0ACME',
      api_app_id: 'A0SANDBOX',
      is_enterprise_install: 'false',
      response_url: expect.stringContaining(`${sandbox.url}/commands/T0ACME/`),
    });
  });

  test.each([
    [404, 'http_client_error'],
    [500, 'http_service_error'],
    [302, 'http_client_error'],
  ])('that gets %i fails as %s', async (status, error) => {
    const { delivery } = await startReceiver(() => ({ status }));
    const sandbox = await startSandbox({ delivery });
    expect(await slash(sandbox)).toMatchObject({ acknowledged: false, error });
  });

  test('that cannot be delivered fails', async () => {
    const sandbox = await startSandbox({ delivery: 'http:http://127.0.0.1:9/' });
    expect(await slash(sandbox)).toMatchObject({ acknowledged: false, error: 'dispatch_failed' });
  });

  test('that gets no response in 3 seconds fails', async () => {
    const { seen, delivery } = await startReceiver(() => undefined);
    const sandbox = await startSandbox({ delivery });
    const reaction = slash(sandbox);
    await expect.poll(() => seen).toHaveLength(1);
    await sandbox.advance(3000);
    expect(await reaction).toMatchObject({ acknowledged: false, ack_ms: 3000, error: 'operation_timeout' });
  });

  test.each([
    ['text', 'Plain answer', {}],
    ['JSON', '{"text":"Plain answer"}', { 'content-type': 'application/json' }],
  ])('of a command can get a message as %s', async (_what, body, headers) => {
    const { delivery } = await startReceiver(() => ({ status: 200, body, headers }));
    const sandbox = await startSandbox({ delivery });
    await slash(sandbox);
    expect(await sandbox.messages('C0OPS', 'U0ALICE')).toMatchObject([
      { text: 'Plain answer', ephemeral: true },
    ]);
  });
});

describe('a URL without a path', () => {
  const base = 'https://app.example';
  const { features, settings } = fullManifest;
  const manifest = {
    ...fullManifest,
    features: {
      ...features,
      slash_commands: features.slash_commands.map((one) => ({
        ...one,
        url: `${base}/commands${one.command}?v=2`,
      })),
    },
    settings: {
      ...settings,
      event_subscriptions: { ...settings.event_subscriptions, request_url: `${base}/events` },
      interactivity: {
        is_enabled: true,
        request_url: `${base}/interactions`,
        message_menu_options_url: `${base}/options`,
      },
    },
  };

  async function useEverything(sandbox: Sandbox): Promise<void> {
    const { ts = '' } = await sandbox.client().chat.postMessage({
      channel: 'C0OPS',
      text: 'Choose',
      blocks: [{ type: 'actions', elements: [{ type: 'external_select', action_id: 'pick' }] }],
    });
    await slash(sandbox);
    await mention(sandbox);
    await sandbox.post('shortcut', { user: 'U0BOB', callback_id: 'make' });
    await sandbox.post('suggest', { user: 'U0BOB', channel: 'C0OPS', ts, action_id: 'pick', text: 'web' });
  }

  test('gets each payload under the path of its URL in the manifest', async () => {
    const { seen, origin } = await startReceiver(() => ({ status: 200 }));
    await useEverything(await startSandbox({ manifest, delivery: origin }));
    expect(seen.map(({ path }) => path)).toEqual([
      '/commands/vps?v=2',
      '/events',
      '/interactions',
      '/options',
    ]);
  });

  test('gets everything if the manifest has no URLs', async () => {
    const { seen, origin } = await startReceiver(() => ({ status: 200 }));
    await useEverything(await startSandbox({ delivery: origin }));
    expect(new Set(seen.map(({ path }) => path))).toEqual(new Set(['/']));
  });

  test('is told from one with a path, which gets everything', async () => {
    const { seen, delivery } = await startReceiver(() => ({ status: 200 }));
    await useEverything(await startSandbox({ manifest, delivery }));
    expect(new Set(seen.map(({ path }) => path))).toEqual(new Set(['/slack/events']));
  });
});

describe('an event', () => {
  test('is sent after a challenge, and again with its number and reason until it is accepted', async () => {
    let status = 500;
    const { seen, delivery } = await startReceiver(() => ({ status }));
    const sandbox = await startSandbox({ delivery });
    const attempts = () =>
      seen.map(({ headers }) => [headers['x-slack-retry-num'], headers['x-slack-retry-reason']]);
    expect(await mention(sandbox)).toMatchObject({ acknowledged: false });
    await expect.poll(attempts).toEqual([
      [undefined, undefined],
      ['1', 'http_error'],
    ]);
    await idle(sandbox, 2);
    await sandbox.advance(60_000);
    await expect.poll(attempts).toHaveLength(3);
    await idle(sandbox, 3);
    status = 200;
    await sandbox.advance(5 * 60_000);
    await expect.poll(attempts).toHaveLength(4);
    await idle(sandbox, 4);
    await sandbox.advance(60 * 60_000);
    expect(seen).toHaveLength(4);
    expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({
      type: 'event_callback',
      team_id: 'T0ACME',
      event: { type: 'app_mention', user: 'U0ALICE', text: '<@U0APPACME> hi', channel: 'C0OPS' },
      event_id: expect.stringMatching(/^Ev/),
      authorizations: [
        { team_id: 'T0ACME', user_id: 'U0APPACME', is_bot: true, is_enterprise_install: false },
      ],
      is_ext_shared_channel: true,
    });
  });

  test('is not sent again if the app responds with x-slack-no-retry', async () => {
    const { seen, delivery } = await startReceiver(() => ({
      status: 500,
      headers: { 'x-slack-no-retry': '1' },
    }));
    const sandbox = await startSandbox({ delivery });
    await mention(sandbox);
    await sandbox.advance(10 * 60_000);
    expect(seen).toHaveLength(1);
  });

  test('is not sent to a URL that fails the challenge', async () => {
    const { seen, delivery } = await startReceiver(() => ({ status: 200 }), 'something else');
    const sandbox = await startSandbox({ delivery });
    expect(await mention(sandbox)).toMatchObject({ acknowledged: false, error: 'dispatch_failed' });
    expect(seen).toEqual([]);
  });
});

/** Waits until this many events got a response, so that the next attempt is scheduled. */
async function idle(sandbox: Sandbox, answered: number): Promise<void> {
  const events = async () =>
    (await sandbox.traffic()).filter((one) => one.kind === 'events_api' && 'ack_ms' in one).length;
  await expect.poll(events).toBe(answered);
}

test('a real Bolt app receives commands, clicks, forms and events over signed HTTP', async () => {
  const seen: string[] = [];
  const sandbox = await startHttpApp((app) => {
    app.event('app_mention', async ({ event, client }) => {
      seen.push(event.text);
      await client.chat.postMessage({ channel: event.channel, text: 'Heard' });
    });
    app.command('/vps', async ({ ack }) => ack({ text: 'Done', response_type: 'in_channel' }));
    app.shortcut('make', async ({ ack, shortcut, client }) => {
      await ack();
      const title = { type: 'plain_text' as const, text: 'Form' };
      const label = { type: 'plain_text' as const, text: 'Name' };
      const element = { type: 'plain_text_input' as const, action_id: 'value' };
      const blocks = [{ type: 'input' as const, block_id: 'name', label, element }];
      const view = { type: 'modal' as const, callback_id: 'form', title, submit: title, blocks };
      await client.views.open({ trigger_id: shortcut.trigger_id, view });
    });
    app.view('form', async ({ ack }) => ack({ response_action: 'errors', errors: { name: 'Taken' } }));
  });

  await sandbox.post('mention', { user: 'U0BOB', channel: 'C0OPS', text: 'hello' });
  await expect.poll(() => seen).toEqual(['<@U0APPACME> hello']);
  expect(await slash(sandbox)).toMatchObject({ acknowledged: true });
  await expect
    .poll(() => sandbox.messages('C0OPS', 'U0CAROL'))
    .toContainEqual(expect.objectContaining({ text: 'Done' }));

  await sandbox.post('shortcut', { user: 'U0BOB', callback_id: 'make' });
  await expect.poll(() => sandbox.modal('U0BOB')).toMatchObject({ callback_id: 'form' });
  const values = { name: { value: { type: 'plain_text_input', value: 'web' } } };
  const { id } = await sandbox.modal('U0BOB');
  expect(await sandbox.post('submit', { user: 'U0BOB', view: id, values })).toMatchObject({
    acknowledged: true,
    response_action: 'errors',
    errors: { name: 'Taken' },
  });
});
