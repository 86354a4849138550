import type { z } from 'zod';
import { type Span, spans } from '../../tracing/spans.ts';
import { contract } from '../endpoints/contract.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { HostingError } from '../hosting-error.ts';
import { readPaging } from '../payloads/pages.ts';
import { unwrapResources } from '../payloads/record.ts';
import type { Lane, OnQueued, QuotaUsage, RateLimiter } from '../quota/rate-limiter.ts';
import { nextPageUrl } from './next-page-url.ts';
import { type LoadedPage, readPages } from './paged-read.ts';
import { createReadCaches, type ReadCache } from './read-cache.ts';
import { buildRequest, type RequestSettings } from './request.ts';
import { parseResponse } from './response.ts';
import type { HttpRequest, HttpResponse, Transport } from './transport.ts';

type NoFields = Record<never, never>;

/** Makes a part of a call optional if none of its fields is required. */
type OptionalIfEmpty<Name extends string, Value> = NoFields extends Value
  ? { [K in Name]?: Value }
  : { [K in Name]: Value };

/** The `params`, `query` and `body` of a call, with the API document's own names. */
export type CallInput<E extends Endpoint> = OptionalIfEmpty<'params', z.input<E['params']>> &
  OptionalIfEmpty<'query', z.input<E['query']>> &
  OptionalIfEmpty<'body', z.input<NonNullable<E['body']>>>;

/** The payload in an endpoint's response. */
export type CallData<E extends Endpoint> = z.output<E['data']>;

export interface CallOptions {
  readonly lane: Lane;
  /** The person or report making the call. Callers take turns, and each has a share of the quota. */
  readonly caller?: string;
  /** Time (epoch ms) after which the call must not be sent. The call then throws `deadline_passed`. */
  readonly notAfterMs?: number;
  /**
   * For a GET: maximum age of a cached result that can be returned instead of sending the call. Defaults
   * to 0. A multi-page list can always be up to 4 s old per page.
   */
  readonly maxAgeMs?: number;
  /** Called with the result's age in ms if a cached one is returned. */
  readonly onStored?: (ageMs: number) => void;
  /**
   * For a list: maximum number of pages to read, with one call per page. Defaults to 20, which is also the
   * upper bound.
   */
  readonly maxPages?: number;
  /**
   * For a list: how long to wait for the pages after the first. After that time, the call returns the
   * pages read so far, and reading continues for later calls. Defaults to 5 s for people and no limit in
   * the background.
   */
  readonly pagesTimeoutMs?: number;
  /**
   * If the signal aborts while the call is waiting for the quota, the call rejects with the abort reason.
   * Other callers of the same GET aren't affected.
   */
  readonly signal?: AbortSignal;
  /** Called with the estimated wait in ms if the call has to wait for a quota slot. */
  readonly onQueued?: OnQueued;
  /**
   * Runs before each attempt, once the call has its slot. If it throws, the call isn't sent. Doesn't run
   * for a GET that shares another caller's call.
   */
  readonly beforeSend?: () => Promise<void>;
}

export interface HostingClient {
  /**
   * Calls an endpoint with this workspace's key and returns the payload. Merges the pages of a list into
   * one payload. Retries a GET with backoff. Retries any other method only if the request certainly wasn't
   * sent. Throws a HostingError, or `deadline_passed` if no slot was free in time.
   */
  call<E extends Endpoint>(endpoint: E, input: CallInput<E>, options: CallOptions): Promise<CallData<E>>;
  /** Returns how much of the key's quota is used, and how long a new call would wait. Sends no request. */
  usage(caller?: string): Promise<QuotaUsage>;
}

export interface HostingKey {
  readonly apiKey: string;
  /** The key's identifier in the quota; see `fingerprintKey`. */
  readonly fingerprint: string;
  /** The quota: requests allowed in any 60 s. */
  readonly limit: number;
}

/**
 * Maximum number of attempts per call. After a timeout there's only one retry, because the call has
 * already taken a long time.
 */
const maxAttempts = 3;
const maxAttemptsAfterTimeout = 2;

/** Pause before the second attempt. Doubles with each attempt, plus up to 100% jitter. */
const firstBackoffMs = 250;

/** How long people wait for the pages after the first. */
const pagesTimeoutForPeopleMs = 5_000;

/** Wait after a 429 without `Retry-After`. */
const defaultRetryAfterMs = 10_000;

/**
 * Creates a client for one API key. Identical reads in flight share one call. Without `readCache`, the client
 * has its own cache.
 */
export function createHostingClient(
  settings: RequestSettings,
  key: HostingKey,
  {
    transport,
    rateLimiter,
    now = Date.now,
    readCache = createReadCaches(now)(key.fingerprint),
  }: {
    transport: Transport;
    rateLimiter: Pick<RateLimiter, 'schedule' | 'pause' | 'usage'>;
    now?: () => number;
    readCache?: ReadCache;
  },
): HostingClient {
  async function attemptCall<E extends Endpoint>(
    endpoint: E,
    request: HttpRequest,
    options: CallOptions,
    onSlotLost?: () => void,
  ) {
    const { lane, caller, notAfterMs, signal, onQueued, beforeSend } = options;
    const { fingerprint, limit } = key;
    const slot = { fingerprint, limit, lane, caller, notAfterMs, signal, onQueued, beforeSend, onSlotLost };
    const response = await rateLimiter.schedule(slot, (timeout) =>
      spans.tracePromise(() => transport.send(request, timeout), toSpan(endpoint)),
    );
    const parsed = parseResponse(endpoint, response, {
      apiKey: key.apiKey,
      sent: listSentValues(request),
      nowMs: now(),
    });
    return { ...parsed, response };
  }

  async function callWithRetry<E extends Endpoint>(
    endpoint: E,
    request: HttpRequest,
    options: CallOptions,
    onRetry?: () => void,
  ) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await attemptCall(endpoint, request, options, onRetry);
      } catch (error) {
        if (!(error instanceof HostingError)) throw error;
        const { retryAfterMs = defaultRetryAfterMs } = error.failure;
        if (error.code === 'quota_exceeded') await rateLimiter.pause(key.fingerprint, retryAfterMs);
        if (!shouldRetry(endpoint, error, attempt)) throw error;
        onRetry?.();
        await waitForBackoff(attempt);
      }
    }
  }

  /** Reads a response, or one page of a list, from the cache or the service. */
  function readPage(
    endpoint: Endpoint,
    request: HttpRequest,
    options: CallOptions & { readonly notBeforeMs?: number },
  ): Promise<LoadedPage> {
    return readCache.read(request.url.href, options, async ({ signal, beforeSend, onRetry }) => {
      const ownOptions = {
        ...options,
        signal,
        async beforeSend() {
          await options.beforeSend?.();
          beforeSend();
        },
      };
      const { data, reply, response } = await callWithRetry(endpoint, request, ownOptions, onRetry);
      const paging = listEndpoints.has(endpoint) ? readPaging(reply, response.headers) : { hasMore: false };
      return { data: unwrapResources(data), size: response.body.length, paging, atMs: now() };
    });
  }

  return {
    usage: (caller) => rateLimiter.usage(key.fingerprint, key.limit, caller),
    async call<E extends Endpoint>(endpoint: E, input: CallInput<E>, options: CallOptions) {
      const request = buildRequest(endpoint, input, settings, key.apiKey);
      if (endpoint.method !== 'GET') {
        const answer = callWithRetry(endpoint, request, options).finally(() => readCache.clear());
        return (await answer).data as CallData<E>;
      }
      const first = await readPage(endpoint, request, options);
      const { lane, caller, beforeSend, maxPages, notAfterMs } = options;
      const pageOptions = {
        lane,
        ...(caller !== undefined && { caller }),
        ...(beforeSend && { beforeSend }),
        notBeforeMs: first.atMs,
      };
      const limits = [
        options.pagesTimeoutMs ?? (lane === 'people' ? pagesTimeoutForPeopleMs : []),
        notAfterMs === undefined ? [] : notAfterMs - now(),
      ].flat();
      const data = await readPages(first, {
        maxPages,
        ...(limits.length > 0 && { timeoutMs: Math.min(...limits) }),
        async loadNext(next) {
          const url = nextPageUrl(request.url, next);
          return url && readPage(endpoint, { ...request, url }, pageOptions);
        },
      });
      return data as CallData<E>;
    },
  };
}

/** Returns the words in a request's path and body, such as the VPS and the operating system. */
function listSentValues({ url, body = '' }: HttpRequest): readonly string[] {
  return `${decodeURI(url.pathname)} ${body}`.split(/[\s/{}[\]",:]+/);
}

/** Endpoints whose response can be one page of a list. */
const listEndpoints: ReadonlySet<Endpoint> = new Set<Endpoint>([
  contract.listVps,
  contract.listVpsIpAddresses,
  contract.listIpv4Addresses,
  contract.listIpv6Addresses,
  contract.listSnapshots,
  contract.listVlans,
  contract.listSshMappings,
  contract.getReinstallOptions,
  contract.getWebgate,
]);

/** Returns a call's span, which is named after the path template, without parameter values. */
function toSpan({ method, path }: Endpoint): Span {
  return {
    name: `${method} ${path}`,
    kind: 'client',
    attributes: { 'http.request.method': method, 'url.template': path },
    describeResult: ({ status }: HttpResponse) => ({ 'http.response.status_code': status }),
  };
}

function shouldRetry(endpoint: Endpoint, error: HostingError, attempt: number): boolean {
  const max = error.code === 'service_timeout' ? maxAttemptsAfterTimeout : maxAttempts;
  if (attempt >= max) return false;
  return endpoint.method === 'GET' ? error.isRetryable : error.failure.sendState === 'not-sent';
}

function waitForBackoff(attempt: number): Promise<void> {
  const baseMs = firstBackoffMs * 2 ** (attempt - 1);
  return new Promise((resolve) => setTimeout(resolve, baseMs + Math.random() * baseMs));
}
