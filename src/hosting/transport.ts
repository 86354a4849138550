import { Agent, type Dispatcher, errors } from 'undici';
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
  /** Sends once. Throws a HostingError that tells whether the request can have arrived. */
  send(request: WireRequest): Promise<WireAnswer>;
  close(): Promise<void>;
}

/** Creates the connections to the hosting service that every workspace shares. */
export function createTransport(overrides: Partial<TransportLimits> = {}): Transport {
  const limits = { ...defaultLimits, ...overrides };
  const options: Agent.Options = {
    allowH2: false,
    connect: { timeout: limits.connectTimeoutMs },
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
    async send({ method, url, headers, body }) {
      try {
        const answer = await (method === 'GET' ? reads : changes).request({
          origin: url.origin,
          path: url.pathname + url.search,
          method,
          headers: { ...headers },
          body: body ?? null,
          signal: AbortSignal.timeout(limits.callTimeoutMs),
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

/** System errors of the time before a connection stands, when nothing can have been sent. */
const beforeConnection = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
]);

function wireError(error: unknown, url: URL): HostingError {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (error instanceof errors.ConnectTimeoutError || beforeConnection.has(code) || isCertificateError(code)) {
    const why = isCertificateError(code) ? ' (its certificate is not trusted)' : '';
    return new HostingError(
      'service_unreachable',
      `The hosting service at ${url.host} cannot be reached${why}.`,
      { fate: 'never-left' },
      error,
    );
  }
  if (isTimeout(error)) {
    return new HostingError(
      'service_timeout',
      `The hosting service at ${url.host} did not answer in time.`,
      { fate: 'unknown' },
      error,
    );
  }
  return new HostingError(
    'service_connection_lost',
    `The connection to the hosting service at ${url.host} broke before it answered.`,
    { fate: 'unknown' },
    error,
  );
}

function isCertificateError(code: string): boolean {
  return code.startsWith('ERR_TLS_CERT') || code.includes('CERT_') || code.endsWith('_SIGNED_CERT');
}

function isTimeout(error: unknown): boolean {
  return (
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    (error instanceof DOMException && error.name === 'TimeoutError')
  );
}
