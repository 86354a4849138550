import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What happens to a call of Slack's Web API. */
type Fault =
  /** It is answered with 429. */
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }
  /** It has its effect, but its answer is lost. */
  | { readonly kind: 'lost' }
  /** Its answer is lost, and it has its effect when `released` resolves. */
  | { readonly kind: 'late'; readonly released: Promise<void> }
  /** It arrives only when `released` resolves. */
  | { readonly kind: 'held'; readonly released: Promise<void>; readonly error?: string | undefined }
  /** It has its effect, but Slack answers with an error. */
  | { readonly kind: 'failed'; readonly error: string };

export type FaultySlack = Awaited<ReturnType<typeof startFaultySlack>>;

/** Starts a server in front of a Slack sandbox that spoils some calls. */
export async function startFaultySlack(slackUrl: string) {
  const faults: { readonly method: string; readonly fault: Fault; left: number }[] = [];
  const calls: { readonly method: string; readonly atMs: number; isAnswered: boolean }[] = [];

  function takeFault(method: string): Fault | undefined {
    const found = faults.find((one) => one.method === method && one.left > 0);
    if (found) found.left -= 1;
    return found?.fault;
  }

  async function forward(request: IncomingMessage, body: string) {
    const { authorization = '', 'content-type': type = '' } = request.headers;
    const headers = { ...(authorization && { authorization }), ...(type && { 'content-type': type }) };
    const isRead = request.method === 'GET';
    return fetch(`${slackUrl}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      ...(!isRead && { body }),
    });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const method = /^\/api\/([\w.]+)/.exec(request.url ?? '')?.[1] ?? '';
    const fault = takeFault(method);
    const call = { method, atMs: Date.now(), isAnswered: false };
    calls.push(call);
    response.on('close', () => {
      call.isAnswered = true;
    });
    if (fault?.kind === 'limited') {
      response.writeHead(429, { 'retry-after': String(fault.retryAfterSeconds) });
      response.end('{"ok":false,"error":"ratelimited"}');
      return;
    }
    if (fault?.kind === 'late') request.socket.destroy();
    if (fault?.kind === 'held' || fault?.kind === 'late') await fault.released;
    if (fault?.kind === 'held' && fault.error !== undefined) {
      response.end(JSON.stringify({ ok: false, error: fault.error }));
      return;
    }
    const answer = await forward(request, body);
    const answered = await answer.text();
    if (fault?.kind === 'late') return;
    if (fault?.kind === 'lost') {
      request.socket.destroy();
      return;
    }
    const retryAfter = answer.headers.get('retry-after');
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'application/json',
      ...(retryAfter && { 'retry-after': retryAfter }),
    });
    response.end(fault?.kind === 'failed' ? JSON.stringify({ ok: false, error: fault.error }) : answered);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Spoils the next calls of a method. */
    spoil(method: string, fault: Fault, times = 1): void {
      faults.push({ method, fault, left: times });
    },
    /** Holds the next call of a method until the returned function is called. With an error, Slack never gets it. */
    hold(method: string, error?: string): () => void {
      const { promise: released, resolve } = Promise.withResolvers<void>();
      faults.push({ method, fault: { kind: 'held', released, error }, left: 1 });
      return resolve;
    },
    /** Loses the answer of the next call of a method, which has its effect when the returned function is called. */
    delay(method: string): () => void {
      const { promise: released, resolve } = Promise.withResolvers<void>();
      faults.push({ method, fault: { kind: 'late', released }, left: 1 });
      return resolve;
    },
    /** The calls so far. */
    calls: (method: string) => calls.filter((call) => call.method === method),
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
    },
  };
}
