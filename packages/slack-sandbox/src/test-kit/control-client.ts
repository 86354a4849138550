import { Agent, type IncomingMessage, request as openRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import { isObject, type JsonObject } from '../json.ts';

/** Requests that stand for a person's action. Others are made by the test itself. */
const actPaths: ReadonlySet<string> = new Set([
  ...['slash', 'mention', 'message', 'click', 'submit', 'close', 'shortcut', 'home'],
  ...['react', 'edit', 'delete', 'assistant'],
]);

/** How long a wait sleeps at most before it looks again, even if nothing has changed. */
const lookAgainMs = 250;

/** Sends requests to the control API of a sandbox, and remembers when a person last acted. */
export interface ControlClient {
  readonly url: string;
  post(path: string, body?: JsonObject): Promise<JsonObject>;
  get(path: string, query?: Readonly<Record<string, string>>): Promise<JsonObject>;
  delete(path: string): Promise<JsonObject>;
  /**
   * Returns the sandbox's revision before the latest action of a person. If actions overlap, it is
   * the one before the first of them.
   */
  revisionOfAct(): number;
  /** Returns the ID of the newest line of traffic before the latest action of a person. */
  trafficOfAct(): number;
  /** Repeats an attempt whenever something has changed in Slack. After the timeout, throws its last error. */
  retryUntil<T>(attempt: () => Promise<T>, timeoutMs: number): Promise<T>;
}

/**
 * Keeps connections open between requests. A test sends hundreds of small requests, each of which
 * takes 60 to 100 µs of CPU time this way, and 210 to 340 µs with `fetch`.
 */
const agent = new Agent({ keepAlive: true });

/** Sends a request. Resolves when the response's headers have arrived. */
function exchange(method: string, url: string, body: JsonObject | undefined): Promise<IncomingMessage> {
  const content = body && JSON.stringify(body);
  const headers =
    content === undefined
      ? {}
      : {
          'content-type': 'application/json',
          // Without this, Node.js would send the body of a DELETE as if it were the next request.
          'content-length': Buffer.byteLength(content),
        };
  return new Promise((resolve, reject) => {
    const sent = openRequest(url, { method, agent, headers }, resolve);
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The sandbox closed an idle connection while the request was on its way, and hasn't read it.
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(exchange(method, url, body));
      else reject(error);
    });
    sent.end(content);
  });
}

export function createControlClient(url: string): ControlClient {
  let act = { revision: 0, traffic: 0 };
  let overlappingActs = 0;

  async function send(method: string, path: string, body?: JsonObject) {
    const response = await exchange(method, `${url}/sandbox/${path}`, body);
    const answer: unknown = await json(response);
    if (!isObject(answer)) throw new Error(`${path} answered ${JSON.stringify(answer)}`);
    if ((response.statusCode ?? 0) >= 300) throw new Error(`${path}: ${answer.error}`);
    const position = (name: string) => Number(response.headers[name] ?? 0);
    return { answer, revision: position('sandbox-revision'), traffic: position('sandbox-traffic') };
  }

  async function runAct(path: string, body: JsonObject): Promise<JsonObject> {
    const isFirst = overlappingActs === 0;
    overlappingActs += 1;
    try {
      const { answer, revision, traffic } = await send('POST', path, body);
      act = isFirst
        ? { revision, traffic }
        : { revision: Math.min(act.revision, revision), traffic: Math.min(act.traffic, traffic) };
      return answer;
    } finally {
      overlappingActs -= 1;
    }
  }

  const get: ControlClient['get'] = async (path, query = {}) =>
    (await send('GET', `${path}?${new URLSearchParams(query)}`)).answer;

  return {
    url,
    post: async (path, body = {}) =>
      actPaths.has(path) ? runAct(path, body) : (await send('POST', path, body)).answer,
    get,
    delete: async (path) => (await send('DELETE', path, {})).answer,
    revisionOfAct: () => act.revision,
    trafficOfAct: () => act.traffic,
    async retryUntil(attempt, timeoutMs) {
      const endMs = performance.now() + timeoutMs;
      for (let since = act.revision; ; ) {
        try {
          return await attempt();
        } catch (error) {
          if (performance.now() > endMs) throw error;
        }
        const waitMs = Math.max(1, Math.min(lookAgainMs, Math.ceil(endMs - performance.now())));
        const { revision } = await get('changes', { since: String(since), wait_ms: String(waitMs) });
        since = Number(revision);
      }
    },
  };
}
