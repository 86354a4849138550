import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { maxTrafficLines } from '../../src/traffic/traffic-log.ts';
import { collectEvents } from '../collect-events.ts';
import { eventually } from '../eventually.ts';
import { startHttpApp, startSandbox, startSocketApp, tokens } from '../harness.ts';

const line = z.looseObject({ id: z.number(), direction: z.string(), kind: z.string() });
type Line = z.infer<typeof line>;

const event = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begin'), limit: z.number(), lines: z.array(line) }),
  z.object({ kind: z.literal('line'), line }),
]);

/** Follows the traffic as the page does. The returned function lists the current lines. */
async function followTraffic(url: string, team = 'T0ACME'): Promise<() => Line[]> {
  const heard = await collectEvents(`${url}/sandbox/traffic/events?team=${team}`);
  await expect.poll(() => heard).not.toHaveLength(0);
  return () => {
    let lines = new Map<number, Line>();
    for (const each of z.array(event).parse(heard)) {
      if (each.kind === 'begin') lines = new Map(each.lines.map((one) => [one.id, one]));
      else lines.set(each.line.id, each.line);
    }
    return [...lines.values()];
  };
}

const typed = { user: 'U0BOB', channel: 'C0OPS', command: '/vps' };

test('a delivery is listed when it leaves, and again with its connection when it is acknowledged', async () => {
  const sandbox = await startSandbox();
  const release = Promise.withResolvers<void>();
  await startSocketApp(sandbox, (app) => {
    app.command('/vps', async ({ ack }) => {
      await release.promise;
      await ack('Done');
    });
  });
  const lines = await followTraffic(sandbox.url);
  const sent = sandbox.post('slash', typed);
  const command = () => lines().find(({ kind }) => kind === 'slash_commands');
  await expect.poll(command).toMatchObject({ direction: 'to_app', connection: 1 });
  expect(command()).not.toHaveProperty('acknowledged');
  release.resolve();
  await sent;
  await expect.poll(command).toMatchObject({ acknowledged: true, ack_ms: 0, answer: { text: 'Done' } });
});

test('a late acknowledgement is listed as late', async () => {
  const sandbox = await startSandbox();
  const release = Promise.withResolvers<void>();
  await startSocketApp(sandbox, (app) => {
    app.command('/vps', async ({ ack }) => {
      await release.promise;
      await ack();
    });
  });
  const lines = await followTraffic(sandbox.url);
  const command = () => lines().find(({ kind }) => kind === 'slash_commands');
  const sent = sandbox.post('slash', typed);
  await expect.poll(command).toBeDefined();
  await sandbox.advance(3000);
  expect(await sent).toMatchObject({ acknowledged: false });
  await expect.poll(command).toMatchObject({ acknowledged: false, refused: 'timeout' });
  expect(command()).not.toHaveProperty('late_ms');
  await sandbox.advance(1500);
  release.resolve();
  await expect.poll(command).toMatchObject({ refused: 'timeout', late_ms: 4500 });
});

test('a connection that was asked to disconnect is listed with the reason', async () => {
  const sandbox = await startSandbox();
  const lines = await followTraffic(sandbox.url);
  await startSocketApp(sandbox, () => {});
  await sandbox.post('faults', { fault: 'disconnect:warning' });
  await expect
    .poll(() => lines().find(({ kind }) => kind === 'disconnect'))
    .toMatchObject({ connection: 1, reason: 'warning' });
});

test('connections are listed when they open, break and close', async () => {
  const sandbox = await startSandbox();
  const lines = await followTraffic(sandbox.url);
  await startSocketApp(sandbox, () => {});
  const sockets = () => lines().filter(({ direction }) => direction === 'socket');
  await expect.poll(sockets).toMatchObject([{ kind: 'opened', connection: 1, connections: 1 }]);
  await sandbox.post('faults', { fault: 'drop_socket' });
  await expect
    .poll(() => sockets().map(({ kind, connection }) => `${connection} ${kind}`))
    .toEqual(['1 opened', '1 dropped', '1 closed']);
  expect(sockets().at(-1)).toMatchObject({ reason: '1006', connections: 0 });
  expect(JSON.stringify((await sandbox.traffic()).map(({ kind }) => kind))).not.toContain('opened');
});

test('a connection with an unknown ticket is listed', async () => {
  const sandbox = await startSandbox();
  const lines = await followTraffic(sandbox.url);
  const socket = new WebSocket(`${sandbox.url.replace('http', 'ws')}/link/?ticket=made-up`);
  await new Promise((resolve) => socket.addEventListener('error', resolve));
  await expect.poll(lines).toMatchObject([{ direction: 'socket', kind: 'ticket_refused', connections: 0 }]);
});

describe('the content of an acknowledgement', () => {
  const section = (text: string) => ({ type: 'section' as const, text: { type: 'mrkdwn' as const, text } });

  test('is listed as rejected, with the field that breaks a rule', async () => {
    const sandbox = await startSandbox();
    await startSocketApp(sandbox, (app) => {
      app.command('/vps', async ({ ack }) => ack({ text: 'x', blocks: [section('a'.repeat(3001))] }));
    });
    const lines = await followTraffic(sandbox.url);
    await sandbox.post('slash', typed);
    await expect
      .poll(() => lines().find(({ kind }) => kind === 'slash_commands'))
      .toMatchObject({
        acknowledged: true,
        refused: 'invalid_command_response',
        problems: [expect.stringContaining('[json-pointer:/blocks/0/text/text]')],
      });
  });

  test('is listed as rejected if the form cannot show its errors', async () => {
    const sandbox = await startSandbox();
    await startSocketApp(sandbox, (app) => {
      app.command('/vps', async ({ ack, client, command }) => {
        await ack();
        await client.views.open({
          trigger_id: command.trigger_id,
          view: {
            type: 'modal',
            callback_id: 'form',
            title: { type: 'plain_text', text: 'Form' },
            submit: { type: 'plain_text', text: 'Send' },
            blocks: [section('Nothing to fill in')],
          },
        });
      });
      app.view('form', async ({ ack }) => ack({ response_action: 'errors', errors: { nowhere: 'Wrong' } }));
    });
    const lines = await followTraffic(sandbox.url);
    await sandbox.post('slash', typed);
    const { id } = await eventually(() => sandbox.modal('U0BOB'));
    await sandbox.post('submit', { user: 'U0BOB', view: id, values: {} });
    await expect
      .poll(() => lines().at(-1))
      .toMatchObject({
        refused: 'invalid_response_action',
        problems: [expect.stringContaining('block_id of an input block')],
      });
  });
});

test('a call is listed with its duration, its status, and the fault that affected it', async () => {
  const sandbox = await startSandbox();
  const lines = await followTraffic(sandbox.url);
  await sandbox.client().chat.postMessage({ channel: 'C0OPS', text: 'Hi' });
  await sandbox.post('faults', { fault: 'ratelimit:chat.postMessage' });
  await sandbox
    .client()
    .chat.postMessage({ channel: 'C0OPS', text: 'Hi' })
    .catch(() => {});
  await expect.poll(lines).toMatchObject([
    { kind: 'chat.postMessage', took_ms: 0, status: 200 },
    { refused: 'ratelimited', status: 429, faults: ['ratelimit:chat.postMessage'] },
  ]);
});

test('a call of an unknown method is listed with its arguments', async () => {
  const sandbox = await startSandbox();
  const lines = await followTraffic(sandbox.url);
  await fetch(`${sandbox.url}/api/chat.shout`, { method: 'POST', body: new URLSearchParams({ text: 'Hi' }) });
  await fetch(`${sandbox.url}/api/chat.shout`, { method: 'POST', body: 'Hi' });
  await expect.poll(lines).toMatchObject([
    { kind: 'chat.shout', payload: { text: 'Hi' }, refused: 'unknown_method' },
    { payload: {}, refused: 'unknown_method' },
  ]);
});

test('a call of a response_url is listed with its path, response and rejection', async () => {
  const sandbox = await startSandbox();
  const path = '/commands/T0ACME/1/made-up';
  const lines = await followTraffic(sandbox.url);
  await fetch(sandbox.url + path, { method: 'POST', body: '{"text":"Hi"}' });
  await expect
    .poll(lines)
    .toMatchObject([
      { kind: 'response_url', path, payload: { text: 'Hi' }, status: 404, refused: 'unknown_url' },
    ]);
});

test('a delivery over HTTP is listed with the status of the response', async () => {
  const sandbox = await startHttpApp((app) => {
    app.command('/vps', async ({ ack }) => ack('Done'));
  });
  const lines = await followTraffic(sandbox.url);
  await sandbox.post('slash', typed);
  await expect
    .poll(() => lines().find(({ kind }) => kind === 'slash_commands'))
    .toMatchObject({ status: 200, acknowledged: true });
});

test('traffic belongs to one workspace, and a reset deletes it', async () => {
  const sandbox = await startSandbox();
  const [acme, globex] = [await followTraffic(sandbox.url), await followTraffic(sandbox.url, 'T0GLOBEX')];
  await sandbox.client(tokens.globex).chat.postMessage({ channel: 'C0GLOBEX', text: 'Hi' });
  await sandbox
    .client('xoxb-unknown')
    .auth.test()
    .catch(() => {});
  await expect.poll(globex).toMatchObject([{ kind: 'chat.postMessage' }, { refused: 'invalid_auth' }]);
  expect(acme()).toMatchObject([{ refused: 'invalid_auth' }]);
  await sandbox.post('reset');
  await expect.poll(globex).toEqual([]);
});

test('no token is shown, wherever it was', async () => {
  const sandbox = await startSandbox();
  await sandbox.client().auth.test();
  await fetch(`${sandbox.url}/api/auth.test`, {
    method: 'POST',
    body: new URLSearchParams({ token: tokens.acme }),
  });
  await fetch(`${sandbox.url}/api/auth.test?token=${tokens.acme}`);
  const lines = (await followTraffic(sandbox.url))();
  expect(lines).toHaveLength(3);
  expect(JSON.stringify(lines)).not.toContain('xoxb');
});

test('only the newest lines are kept', async () => {
  const sandbox = await startSandbox();
  for (let count = 0; count < maxTrafficLines + 5; count += 1)
    await fetch(`${sandbox.url}/api/api.test?n=${count}`);
  const lines = (await followTraffic(sandbox.url))();
  expect(lines).toHaveLength(maxTrafficLines);
  expect(lines[0]?.id).toBe(6);
});
