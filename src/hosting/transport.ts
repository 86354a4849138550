import { Agent, buildConnector, type Dispatcher, errors } from 'undici';
import type { Method } from './endpoint.ts';
import { HostingError } from './hosting-error.ts';

export interface TransportLimits {
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  /** Longest silence between two parts of a body. */
  readonly bodyTimeoutMs: number;
  /** Longest that one attempt may take from its start to the end of its answer. */
  readonly callTimeoutMs: number;
  readonly maxBodyBytes: number;
}

export const defaultLimits: TransportLimits = {
  connectTimeoutMs: 5_000,
  headersTimeoutMs: 15_000,
  bodyTimeoutMs: 15_000,
  callTimeoutMs: 30_000,
  maxBodyBytes: 8 * 1024 * 1024,
};

export interface WireRequest {
  readonly method: Method;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Carries requests to the hosting service; knows nothing of keys, envelopes or retries. */
export interface Transport {
  readonly limits: TransportLimits;
  /** Sends once. Throws a HostingError that tells whether the request can have arrived, or what `signal` aborts with. */
  send(request: WireRequest, signal?: AbortSignal): Promise<WireAnswer>;
  close(): Promise<void>;
}

/** Creates the connections to the hosting service that every workspace shares. */
export function createTransport(overrides: Partial<TransportLimits> = {}): Transport {
  const limits = { ...defaultLimits, ...overrides };
  const options: Agent.Options = {
    connect: createConnector(limits.connectTimeoutMs),
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
    maxResponseSize: limits.maxBodyBytes,
  };
  const reads = new Agent(options);
  // A kept-alive connection that the service closes meanwhile ends a request in a reset which does not tell
  // whether it arrived; what changes something gets a connection of its own.
  const changes = new Agent({ ...options, pipelining: 0 });

  return {
    limits,
    async send({ method, url, headers, body }, signal) {
      const timeout = AbortSignal.timeout(limits.callTimeoutMs);
      try {
        const answer = await (method === 'GET' ? reads : changes).request({
          origin: url.origin,
          path: url.pathname + url.search,
          method,
          headers: { ...headers },
          body: body ?? null,
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        });
        return { status: answer.statusCode, headers: answer.headers, body: await readBody(answer, url) };
      } catch (error) {
        throw error instanceof HostingError ? error : wireError(error, url);
      }
    },
    async close() {
      await Promise.all([reads.close(), changes.close()]);
    },
  };
}

async function readBody(answer: Dispatcher.ResponseData, url: URL): Promise<string> {
  try {
    return await answer.body.text();
  } catch (error) {
    if (error instanceof errors.ResponseExceededMaxSizeError) {
      throw new HostingError(
        'answer_too_large',
        `The answer of ${url.host} was larger than Rackhand reads.`,
        { fate: 'unknown', status: answer.statusCode },
        error,
      );
    }
    throw error;
  }
}

/** What fails before a connection stands, when nothing can have been sent. */
class ConnectError extends Error {}

function createConnector(timeout: number): buildConnector.connector {
  const connect = buildConnector({ timeout, allowH2: false });
  return (options, callback) =>
    connect(options, (...[error, socket]) =>
      error ? callback(new ConnectError('no connection', { cause: error }), null) : callback(null, socket),
    );
}

function wireError(error: unknown, { host }: URL): HostingError {
  if (error instanceof ConnectError) {
    const why = isCertificateError(error.cause) ? ' (its certificate is not trusted)' : '';
    return new HostingError(
      'service_unreachable',
      `The hosting service at ${host} cannot be reached${why}.`,
      { fate: 'never-left' },
      error.cause,
    );
  }
  if (isTimeout(error)) {
    return new HostingError(
      'service_timeout',
      `The hosting service at ${host} did not answer in time.`,
      { fate: 'unknown' },
      error,
    );
  }
  return new HostingError(
    'service_connection_lost',
    `The connection to the hosting service at ${host} broke before it answered.`,
    { fate: 'unknown' },
    // What cannot be parsed stands in the error, and may repeat the request with its key.
    error instanceof errors.HTTPParserError ? new Error(error.message) : error,
  );
}

function isCertificateError(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && /CERT|SIGNATURE|HOSTNAME_MISMATCH/.test(String(error.code))
  );
}

function isTimeout(error: unknown): boolean {
  return (
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    (error instanceof DOMException && error.name === 'TimeoutError')
  );
}
