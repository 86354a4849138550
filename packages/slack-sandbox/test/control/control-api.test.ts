import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { collectEvents } from '../collect-events.ts';
import { startMs, startSandbox, startSocketApp, tokens } from '../harness.ts';

test('a workspace describes itself to its clients', async () => {
  const sandbox = await startSandbox();
  const acme = await sandbox.get('workspace');
  expect(acme).toMatchObject({
    team: { id: 'T0ACME', name: 'Acme', domain: 'acme' },
    teams: [{ id: 'T0ACME' }, { id: 'T0GLOBEX' }],
    app: {
      id: 'A0SANDBOX',
      name: 'Tester',
      user_id: 'U0APPACME',
      home_tab: true,
      delivery: 'socket',
      connections: 0,
    },
    commands: [{ command: '/vps' }, { command: '/raw' }],
    shortcuts: [
      { callback_id: 'make', type: 'global' },
      { callback_id: 'keep', type: 'message' },
    ],
    channels: [
      { id: 'C0OPS', has_app: true, is_shared: true },
      { id: 'C0GENERAL' },
      { id: 'C0RANDOM', name: 'random', has_app: true },
      { id: 'C0QUIET', has_app: false },
    ],
  });
  expect(acme.people).toContainEqual(expect.objectContaining({ id: 'U0DAVE', role: 'guest' }));
  expect(await sandbox.get('workspace', { team: 'T0GLOBEX' })).toMatchObject({
    channels: [{ id: 'C0GLOBEX' }],
  });
});

describe('an invalid request is rejected with a reason', () => {
  test.each([
    ['slash', '{"user":', 400, 'The body is not JSON: Unexpected end'],
    ['slash', '[]', 400, 'the body: '],
    ['slash', '{"user":"U0BOB","channel":"C0OPS","command":"vps"}', 400, 'command: '],
    ['slash', '{"channel":"C0OPS","command":"/vps"}', 400, 'user: '],
    ['faults', '{"fault":"earthquake"}', 400, 'The fault must be one of'],
    ['faults', '{"fault":"ack_delay:soon"}', 400, 'milliseconds'],
    ['faults', '{"fault":"ratelimit:chat.shout"}', 400, 'there is no chat.shout'],
    ['faults', '{"fault":"disconnect:bored"}', 400, 'The reason must be one of'],
    ['faults', '{"fault":"revoke","team":"T0NONE"}', 404, 'T0NONE'],
    ['clock', '{"advance_ms":-1}', 400, 'advance_ms'],
    ['home', '{"user":"U0APPACME"}', 404, 'There is no person'],
  ])('%s %s', async (path, body, status, error) => {
    const sandbox = await startSandbox();
    const response = await fetch(`${sandbox.url}/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: expect.stringContaining(error) });
  });

  test.each([
    ['messages?channel=C0OPS', 400, 'user'],
    ['messages?channel=C0NONE&user=U0BOB', 404, 'C0NONE'],
    ['messages?channel=C0QUIET&user=U0DAVE', 400, 'U0DAVE cannot read C0QUIET'],
    ['views?user=U0NOBODY', 404, 'U0NOBODY'],
    ['events?team=T0NONE', 404, 'T0NONE'],
    ['nothing', 404, '/sandbox/nothing'],
  ])('GET %s', async (path, status, error) => {
    const sandbox = await startSandbox();
    const response = await fetch(`${sandbox.url}/sandbox/${path}`);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: expect.stringContaining(error) });
  });
});

test('other sites that are open in a browser cannot do anything here', async () => {
  const sandbox = await startSandbox();
  const headers = { 'sec-fetch-site': 'cross-site' };
  const response = await fetch(`${sandbox.url}/sandbox/reset`, { method: 'POST', headers });
  expect(response.status).toBe(403);
});

test.each([
  ['reads the traffic', 'traffic', { host: 'evil.example' }],
  ['reads the traffic by a rebound name', 'traffic', { host: 'evil.example:4020' }],
  ['acts as a person', 'reset', { method: 'POST', origin: 'https://evil.example' }],
])(
  'a website that %s is rejected',
  async (_, path, { method = 'GET', ...headers }: Record<string, string>) => {
    const sandbox = await startSandbox();
    const call = request(`${sandbox.url}/sandbox/${path}`, { method, headers }).end();
    const [response] = await once(call, 'response');
    expect(response.statusCode).toBe(403);
    response.destroy();
  },
);

test.each(['localhost', '127.0.0.1', '[::1]', 'sandbox.localhost'])('%s is an allowed host', async (host) => {
  const sandbox = await startSandbox();
  const [response] = await once(
    request(`${sandbox.url}/sandbox/workspace`, { headers: { host } }).end(),
    'response',
  );
  expect(response.statusCode).toBe(200);
  response.destroy();
});

test('members can read a public channel that they have not joined', async () => {
  const sandbox = await startSandbox();
  await sandbox.post('slash', { user: 'U0ALICE', channel: 'C0QUIET', command: '/remove', text: '@bob' });
  expect(await sandbox.messages('C0QUIET', 'U0BOB')).toEqual([]);
});

test('the clock returns its time', async () => {
  const sandbox = await startSandbox();
  expect(await sandbox.post('clock', { advance_ms: 1500 })).toEqual({ now: startMs + 1500 });
});

describe('a client that waits for the app', () => {
  test('gets only messages that were posted or edited after a revision', async () => {
    const sandbox = await startSandbox();
    const { chat } = sandbox.client();
    const post = async (text: string) => (await chat.postMessage({ channel: 'C0OPS', text })).ts ?? '';
    const edited = await post('One');
    await post('Two');
    const response = await fetch(`${sandbox.url}/sandbox/messages?channel=C0OPS&user=U0BOB`);
    const since = response.headers.get('sandbox-revision') ?? '';
    const query = { channel: 'C0OPS', user: 'U0BOB', since };
    expect(await sandbox.get('messages', query)).toEqual({ messages: [] });
    await chat.update({ channel: 'C0OPS', ts: edited, text: 'One, edited' });
    await post('Three');
    expect(await sandbox.get('messages', query)).toMatchObject({
      messages: [{ text: 'One, edited' }, { text: 'Three' }],
    });
  });

  test('gets a response when something changes, or when its time is up', async () => {
    const sandbox = await startSandbox();
    expect(await sandbox.get('changes', { since: '0', wait_ms: '1' })).toEqual({ revision: 0 });
    const changed = sandbox.get('changes', { since: '0', wait_ms: '20000' });
    await sandbox.client().chat.postMessage({ channel: 'C0OPS', text: 'Hi' });
    expect(await changed).toEqual({ revision: 1 });
    expect(await sandbox.get('changes', { since: '0', wait_ms: '20000' })).toEqual({ revision: 1 });
  });
});

test('traffic shows calls with their responses, and payloads with their acknowledgements', async () => {
  const sandbox = await startSandbox();
  await startSocketApp(sandbox, (app) => {
    app.command('/vps', async ({ ack }) => ack('Done'));
  });
  await sandbox.post('slash', { user: 'U0BOB', channel: 'C0OPS', command: '/vps', text: 'list' });
  await sandbox
    .client()
    .chat.postMessage({ channel: 'C0QUIET', text: 'Hi' })
    .catch(() => {});
  const traffic = await sandbox.traffic();
  expect(traffic.find(({ kind }) => kind === 'slash_commands')).toMatchObject({
    at: startMs,
    direction: 'to_app',
    team: 'T0ACME',
    payload: { text: 'list' },
    acknowledged: true,
    ack_ms: 0,
    answer: { text: 'Done' },
    envelope_id: expect.any(String),
  });
  expect(traffic.at(-1)).toMatchObject({
    direction: 'from_app',
    team: 'T0ACME',
    kind: 'chat.postMessage',
    payload: { channel: 'C0QUIET', text: 'Hi' },
    refused: 'not_in_channel',
  });
  expect(JSON.stringify(traffic)).not.toContain(tokens.acme);
});

test('a reset restores everything, and connections stay open', async () => {
  const sandbox = await startSandbox();
  await startSocketApp(sandbox, (app) => void app.command('/vps', async ({ ack }) => ack('Done')));
  const { chat, conversations } = sandbox.client();
  await chat.postMessage({ channel: 'C0OPS', text: 'Hi' });
  await conversations.join({ channel: 'C0QUIET' });
  await sandbox.post('faults', { fault: 'ratelimit:chat.postMessage' });
  await sandbox.post('reset');
  expect(await sandbox.messages('C0OPS', 'U0BOB')).toEqual([]);
  expect(await sandbox.traffic()).toEqual([]);
  await expect(chat.postMessage({ channel: 'C0QUIET', text: 'Hi' })).rejects.toThrow('not_in_channel');
  const typed = { user: 'U0BOB', channel: 'C0OPS', command: '/vps' };
  expect(await sandbox.post('slash', typed)).toMatchObject({ acknowledged: true });
});

test('a page is notified about what changed in its own workspace', async () => {
  const sandbox = await startSandbox();
  const heard = await collectEvents(`${sandbox.url}/sandbox/events`);
  await expect.poll(() => heard).toEqual([{ kind: 'alive' }]);
  await sandbox.client(tokens.globex).chat.postMessage({ channel: 'C0GLOBEX', text: 'Hi' });
  const { ts } = await sandbox.client().chat.postMessage({ channel: 'C0OPS', text: 'Hi' });
  await sandbox.client().chat.postMessage({ channel: 'C0OPS', text: 'Hi', thread_ts: ts ?? '' });
  await sandbox.client().chat.postEphemeral({ channel: 'C0OPS', user: 'U0BOB', text: 'Psst' });
  await sandbox
    .client()
    .views.publish({ user_id: 'U0BOB', view: { type: 'home', blocks: [{ type: 'divider' }] } });
  await sandbox.client().chat.delete({ channel: 'C0OPS', ts: ts ?? '' });
  await sandbox.post('reset');
  const anyTs = expect.stringMatching(/^\d+\.\d+$/);
  await expect
    .poll(() => heard.slice(1))
    .toEqual([
      { kind: 'message', channel: 'C0OPS', ts },
      { kind: 'message', channel: 'C0OPS', ts: anyTs, thread_ts: ts },
      { kind: 'message', channel: 'C0OPS', ts: anyTs, user: 'U0BOB' },
      { kind: 'home', user: 'U0BOB' },
      { kind: 'message', channel: 'C0OPS', ts },
      { kind: 'reset' },
    ]);
});

test('a page is notified about connections, faults and the clock', async () => {
  const sandbox = await startSandbox();
  const heard = await collectEvents(`${sandbox.url}/sandbox/events`);
  await expect.poll(() => heard).toEqual([{ kind: 'alive' }]);
  await sandbox.post('faults', { fault: 'duplicate' });
  await sandbox.post('clock', { advance_ms: 1 });
  await startSocketApp(sandbox, () => {});
  await expect
    .poll(() => heard.slice(1))
    .toEqual([{ kind: 'faults' }, { kind: 'clock' }, { kind: 'connections' }]);
});

describe('messages can be read', () => {
  async function postThread() {
    const sandbox = await startSandbox();
    const { chat } = sandbox.client();
    const stamps: string[] = [];
    for (const text of ['a', 'b', 'c']) {
      stamps.push((await chat.postMessage({ channel: 'C0OPS', text })).ts ?? '');
    }
    const [parent = ''] = stamps;
    await chat.postMessage({ channel: 'C0OPS', text: 'reply to a', thread_ts: parent });
    const read = async (query: Record<string, string>) => {
      const { messages } = await sandbox.get('messages', { channel: 'C0OPS', user: 'U0BOB', ...query });
      return z
        .array(z.object({ text: z.string() }))
        .parse(messages)
        .map(({ text }) => text);
    };
    return { read, stamps };
  }

  test('all at once if nothing limits the number', async () => {
    const { read } = await postThread();
    expect(await read({})).toEqual(['a', 'b', 'c', 'reply to a']);
  });

  test('in pages, the newest first and then older ones', async () => {
    const { read, stamps } = await postThread();
    expect(await read({ limit: '2' })).toEqual(['c', 'reply to a']);
    expect(await read({ limit: '1', before: stamps[2] ?? '' })).toEqual(['b']);
    expect(await read({ before: stamps[0] ?? '' })).toEqual([]);
  });

  test('by thread, with the parent message', async () => {
    const { read, stamps } = await postThread();
    expect(await read({ thread: stamps[0] ?? '' })).toEqual(['a', 'reply to a']);
    expect(await read({ thread: stamps[1] ?? '' })).toEqual(['b']);
  });

  test('by a list of timestamps, without deleted messages', async () => {
    const { read, stamps } = await postThread();
    expect(await read({ only: `${stamps[1]},1.000001` })).toEqual(['b']);
  });

  test.each([{ limit: '0' }, { limit: 'many' }, { before: 'yesterday' }, { only: '1.0,x' }, { thread: '' }])(
    '%j is rejected',
    async (query) => {
      const { read } = await postThread();
      await expect(read(query)).rejects.toThrow(/^400: /);
    },
  );
});
