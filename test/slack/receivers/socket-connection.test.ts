import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import pino from 'pino';
import { createSlackSandbox } from 'slack-sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createSlackLogger } from '../../../src/slack/client/slack-logger.ts';
import { createSocketConnection } from '../../../src/slack/receivers/receivers.ts';
import { type FreezableProxy, startFreezableProxy } from '../../services/freezable-proxy.ts';
import { manifestPath } from '../../stack.ts';

const createConnection = (apiUrl: string) =>
  createSocketConnection(
    { appToken: 'xapp-sandbox' },
    { apiUrl, logger: createSlackLogger(pino({ enabled: false })), app: undefined },
  );

const trafficSchema = z.object({ lines: z.array(z.looseObject({ kind: z.string() })) });

/** Starts a sandbox whose Web API is reached through a proxy. */
async function startProxiedSlack() {
  const sandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
  onTestFinished(sandbox.close);
  const proxy: FreezableProxy = await startFreezableProxy(`${sandbox.url}/api/`);
  onTestFinished(proxy.close);
  return {
    proxy,
    async dropSocket() {
      const body = JSON.stringify({ fault: 'drop_socket' });
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${sandbox.url}/sandbox/faults`, { method: 'POST', headers, body });
      expect(response.status).toBe(200);
    },
    /** Returns the calls for a URL, and the connections that were opened and closed, in their order. */
    async connectionLog() {
      const response = await fetch(`${sandbox.url}/sandbox/traffic/events`);
      let text = '';
      // The stream begins with everything so far, and doesn't end.
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        if (text.includes('\n\n')) break;
      }
      const begin: unknown = JSON.parse(text.slice(text.indexOf('{'), text.indexOf('\n\n')));
      return trafficSchema.parse(begin).lines.map(({ kind }) => kind);
    },
  };
}

/** Starts a Slack that accepts a connection and never sends `hello`. */
async function startSilentSlack() {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, url: url.replace('http', 'ws') }));
  });
  server.on('upgrade', ({ headers }, socket) => {
    const accept = createHash('sha1')
      .update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    // The first frame is the client's close frame.
    socket.on('data', () => socket.end()).on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const url = `http://127.0.0.1:${address.port}/`;
  return { url, upgraded: () => once(server, 'upgrade') };
}

test('a connection that is closed while it is reopened does not stay open', async () => {
  const { proxy, dropSocket, connectionLog } = await startProxiedSlack();
  const connection = createConnection(proxy.url);
  await connection.open();
  await expect.poll(connectionLog).toEqual(['apps.connections.open', 'opened']);
  await dropSocket();
  proxy.delayReplies(1000);
  await expect
    .poll(connectionLog)
    .toEqual(['apps.connections.open', 'opened', 'dropped', 'closed', 'apps.connections.open']);

  await connection.close();

  await expect.poll(async () => (await connectionLog()).slice(5)).toEqual(['opened', 'closed']);
  expect(connection.isActive()).toBe(false);
});

test('a connection can be closed before Slack says hello', async () => {
  const slack = await startSilentSlack();
  const connection = createConnection(slack.url);
  const opened = connection.open();
  await slack.upgraded();

  await connection.close();

  await expect(opened).resolves.toBeUndefined();
});
