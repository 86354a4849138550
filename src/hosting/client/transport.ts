import { Agent, buildConnector, type Dispatcher, errors } from 'undici';
import { abortAfter } from '../../with-timeout.ts';
import type { Method } from '../endpoints/endpoint.ts';
import { HostingError } from '../hosting-error.ts';

export interface TransportLimits {
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  /** Maximum time without data while receiving a body. */
  readonly bodyTimeoutMs: number;
  /** Time limit for one attempt, from its start to the end of the response. */
  readonly callTimeoutMs: number;
  readonly maxBodyBytes: number;
}

export const defaultTransportLimits: TransportLimits = {
  connectTimeoutMs: 5_000,
  headersTimeoutMs: 15_000,
  bodyTimeoutMs: 15_000,
  callTimeoutMs: 30_000,
  maxBodyBytes: 8 * 1024 * 1024,
};

export interface HttpRequest {
  readonly method: Method;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends requests to the hosting service, without handling keys, envelopes or retries. */
export interface Transport {
  readonly limits: TransportLimits;
  /** Sends a request once. Throws a HostingError that says how far the call got. */
  send(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse>;
  /** Closes all connections. Calls in flight end as unanswered. */
  close(): Promise<void>;
}

/** Called at the end of each call with its HTTP status, or the reason why there was no answer. */
export type CallEnded = (method: Method, status: string, durationMs: number) => void;

/** Creates the connections to the hosting service. All workspaces share them. */
export function createTransport(
  overrides: Partial<TransportLimits> = {},
  callEnded: CallEnded = () => {},
): Transport {
  const limits = { ...defaultTransportLimits, ...overrides };
  const { reads, writes } = createAgents(limits);

  return {
    limits,
    async send({ method, url, headers, body }, signal) {
      const timeout = abortAfter(limits.callTimeoutMs);
      const startedMs = performance.now();
      try {
        const response = await (method === 'GET' ? reads : writes).request({
          origin: url.origin,
          path: url.pathname + url.search,
          method,
          headers: { ...headers },
          body: body ?? null,
          signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
        });
        const text = await readBody(response, url, limits.maxBodyBytes);
        callEnded(method, String(response.statusCode), performance.now() - startedMs);
        return { status: response.statusCode, headers: response.headers, body: text };
      } catch (error) {
        const known = error instanceof HostingError ? error : toTransportError(error, url);
        callEnded(method, known.code, performance.now() - startedMs);
        throw known;
      } finally {
        timeout.cancel();
      }
    },
    async close() {
      await Promise.all([reads.destroy(), writes.destroy()]);
    },
  };
}

function createAgents(limits: TransportLimits): { readonly reads: Agent; readonly writes: Agent } {
  const options: Agent.Options = {
    connect: createConnector(limits.connectTimeoutMs),
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
    maxResponseSize: limits.maxBodyBytes,
  };
  return {
    reads: new Agent(options),
    // If the service closes a kept-alive connection during a request, it's unknown whether the
    // request arrived. Requests that change something therefore get a new connection each.
    writes: new Agent({ ...options, pipelining: 0 }),
  };
}

async function readBody(response: Dispatcher.ResponseData, url: URL, maxBodyBytes: number): Promise<string> {
  try {
    return await response.body.text();
  } catch (error) {
    if (error instanceof errors.ResponseExceededMaxSizeError) {
      throw new HostingError(
        'response_too_large',
        `The response from ${url.host} is larger than ${maxBodyBytes / 2 ** 20} MiB, so Rackhand didn't read it.`,
        { sendState: 'unknown', status: response.statusCode },
        error,
      );
    }
    throw error;
  }
}

/** Thrown if the connection couldn't be opened, so nothing was sent. */
class ConnectError extends Error {}

/**
 * Creates a connector that discards connections that opened too late. Otherwise, a process that was frozen
 * while connecting would send its call on waking up, long after its slot.
 */
function createConnector(timeout: number): buildConnector.connector {
  const connect = buildConnector({ timeout, allowH2: false });
  return (options, callback) => {
    const startedMs = performance.now();
    connect(options, (...[error, socket]) => {
      if (error) return callback(new ConnectError('no connection', { cause: error }), null);
      if (performance.now() - startedMs <= timeout) return callback(null, socket);
      socket.destroy();
      callback(new ConnectError('the connection opened too late'), null);
    });
  };
}

function toTransportError(error: unknown, { host }: URL): HostingError {
  if (error instanceof ConnectError) {
    const why = isCertificateError(error.cause) ? " (its certificate isn't trusted)" : '';
    return new HostingError(
      'service_unreachable',
      `The hosting service at ${host} can't be reached${why}.`,
      { sendState: 'not-sent' },
      error.cause,
    );
  }
  if (isTimeoutError(error)) {
    return new HostingError(
      'service_timeout',
      `The hosting service at ${host} didn't answer in time.`,
      { sendState: 'unknown' },
      error,
    );
  }
  return new HostingError(
    'service_connection_lost',
    `The connection to the hosting service at ${host} broke before the response arrived.`,
    { sendState: 'unknown' },
    // A parser error contains the raw response, which could repeat the request and its key.
    error instanceof errors.HTTPParserError ? new Error(error.message) : error,
  );
}

function isCertificateError(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && /CERT|SIGNATURE|HOSTNAME_MISMATCH/.test(String(error.code))
  );
}

function isTimeoutError(error: unknown): boolean {
  return (
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    (error instanceof DOMException && error.name === 'TimeoutError')
  );
}
