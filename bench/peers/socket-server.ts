import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

/** Plays Slack for one app: opens a socket, delivers direct messages, and accepts what the app posts. */
export interface SocketServer {
  readonly apiUrl: string;
  /** Delivers "help" as a direct message in a channel of its own. */
  deliver(channelId: string): void;
  close(): void;
}

interface SocketEvents {
  onAcked(channelId: string): void;
  onPosted(channelId: string): void;
}

const identity = {
  ok: true,
  user: 'bench',
  user_id: 'U0APPACME',
  bot_id: 'B0ACME',
  team: 'Acme',
  team_id: 'T0ACME',
  url: 'https://acme.slack.com/',
};

const person = {
  id: 'U0ALICE',
  name: 'alice',
  real_name: 'Alice',
  team_id: 'T0ACME',
  is_bot: false,
  profile: {},
};

/** Starts the server on a free port. */
export async function startSocketServer(events: SocketEvents): Promise<SocketServer> {
  let socket: WebSocket | undefined;
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const [, method] = /^\/api\/([\w.]+)/.exec(request.url ?? '') ?? [];
    if (method === 'chat.postMessage') events.onPosted(readChannel(body));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer(method, body)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (opened) => {
    socket = opened;
    opened.send(JSON.stringify({ type: 'hello', num_connections: 1 }));
    opened.on('message', (data) => {
      const { envelope_id: id } = JSON.parse(String(data));
      if (id !== undefined) events.onAcked(id);
    });
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;

  function answer(method: string | undefined, body: string): object {
    if (method === 'apps.connections.open') return { ok: true, url: `ws://127.0.0.1:${port}/socket` };
    if (method === 'auth.test') return identity;
    if (method === 'users.info') return { ok: true, user: person };
    if (method === 'users.list') return { ok: true, members: [person] };
    if (method === 'conversations.info')
      return { ok: true, channel: { id: readChannel(body), is_im: true, user: person.id } };
    return { ok: true, ts: nextTs(), channel: readChannel(body), message: {} };
  }

  return {
    apiUrl: `http://127.0.0.1:${port}/api/`,
    deliver: (channelId) => socket?.send(JSON.stringify(describeDelivery(channelId))),
    close() {
      sockets.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The envelope has the ID of the channel, because each channel gets one message. */
function describeDelivery(channelId: string): object {
  const ts = nextTs();
  return {
    envelope_id: channelId,
    type: 'events_api',
    accepts_response_payload: false,
    payload: {
      type: 'event_callback',
      team_id: 'T0ACME',
      api_app_id: 'A0BENCH',
      event_id: `Ev${channelId}`,
      event_time: Math.floor(Date.now() / 1000),
      authorizations: [
        {
          enterprise_id: null,
          team_id: 'T0ACME',
          user_id: 'U0APPACME',
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
      event: {
        type: 'message',
        channel_type: 'im',
        channel: channelId,
        user: person.id,
        team: 'T0ACME',
        text: 'help',
        ts,
        event_ts: ts,
      },
    },
  };
}

let lastTs = 0;

function nextTs(): string {
  lastTs = Math.max(Date.now() * 1000, lastTs + 1);
  return `${Math.floor(lastTs / 1e6)}.${String(lastTs % 1e6).padStart(6, '0')}`;
}

async function readBody(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}

/** Apps send forms or JSON. */
function readChannel(body: string): string {
  return new URLSearchParams(body).get('channel') ?? /"channel":"(\w+)"/.exec(body)?.[1] ?? '';
}
