import type { z } from 'zod';
import { readAnswer } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import { HostingError } from './hosting-error.ts';
import type { Lane, Quota, QuotaUsage } from './quota/quota.ts';
import { createReadSharing } from './read-sharing.ts';
import { buildRequest, type RequestSettings } from './request.ts';
import type { Transport, WireRequest } from './transport.ts';

type NoFields = Record<never, never>;

/** A field of a call may be left out where none of its own fields is required. */
type Part<Name extends string, Value> = NoFields extends Value
  ? { [K in Name]?: Value }
  : { [K in Name]: Value };

/** What a call of an endpoint takes: `params`, `query` and `body`, with the API document's own names. */
export type CallInput<E extends Endpoint> = Part<'params', z.input<E['params']>> &
  Part<'query', z.input<E['query']>> &
  Part<'body', z.input<NonNullable<E['body']>>>;

/** The payload that a call of an endpoint answers. */
export type CallData<E extends Endpoint> = z.output<E['data']>;

export interface CallOptions {
  readonly lane: Lane;
  /** Epoch ms after which the call must not leave any more; throws `deadline_passed`. */
  readonly notAfterMs?: number;
  /** For a GET: how old an earlier answer to the same question may be, to be given instead. Default 0. */
  readonly maxAgeMs?: number;
  /** Told before a wait for a slot of the quota: an estimate in ms. */
  readonly onQueued?: (waitMs: number) => void;
  /**
   * Runs when the call has its slot, right before its bytes leave, for each attempt; a throw keeps it from leaving. Not run for a
   * GET that shares the call of another.
   */
  readonly beforeLeaving?: () => Promise<void>;
}

export interface HostingClient {
  /**
   * Calls an endpoint with this workspace's key and returns its payload. A GET is repeated with backoff; anything else
   * only when it surely never left. Throws HostingError; `deadline_passed` when no slot came free in time.
   */
  call<E extends Endpoint>(endpoint: E, input: CallInput<E>, options: CallOptions): Promise<CallData<E>>;
  /** Tells how far the key's quota is used; makes no call. */
  usage(): Promise<QuotaUsage>;
}

export interface HostingKey {
  readonly apiKey: string;
  /** Under which the quota knows the key; see `fingerprintKey`. */
  readonly fingerprint: string;
  /** Requests in any 60 s. */
  readonly limit: number;
}

/** Attempts of one call at most. A timeout has taken long already: it is repeated once. */
const mostAttempts = 3;
const mostAttemptsAfterTimeout = 2;

/** Pause before the second attempt; it doubles for the next, with jitter of up to as much again. */
const firstBackoffMs = 250;

/** How long to wait after a 429 that does not say it. */
const defaultRetryAfterMs = 10_000;

/** Creates the client of one key. Identical reads in flight share one call. */
export function createHostingClient(
  settings: RequestSettings,
  key: HostingKey,
  {
    transport,
    quota,
    now = Date.now,
  }: { transport: Transport; quota: Pick<Quota, 'run' | 'pause' | 'usage'>; now?: () => number },
): HostingClient {
  const reads = createReadSharing(now);

  async function attempt<E extends Endpoint>(endpoint: E, request: WireRequest, options: CallOptions) {
    const { lane, notAfterMs, onQueued, beforeLeaving } = options;
    const slot = {
      key: key.fingerprint,
      limit: key.limit,
      lane,
      ...(notAfterMs !== undefined && { notAfterMs }),
      ...(onQueued && { onQueued }),
    };
    const answer = await quota.run(slot, async (signal) => {
      await beforeLeaving?.();
      return transport.send(request, signal);
    });
    return readAnswer(endpoint, answer, { apiKey: key.apiKey, nowMs: now() }) as CallData<E>;
  }

  async function callUntilSettled<E extends Endpoint>(
    endpoint: E,
    request: WireRequest,
    options: CallOptions,
  ) {
    for (let count = 1; ; count += 1) {
      try {
        return await attempt(endpoint, request, options);
      } catch (error) {
        if (!(error instanceof HostingError)) throw error;
        const { retryAfterMs = defaultRetryAfterMs } = error.failure;
        if (error.code === 'quota_exceeded') await quota.pause(key.fingerprint, now() + retryAfterMs);
        if (!mayRepeat(endpoint, error, count)) throw error;
        await backoff(count);
      }
    }
  }

  return {
    usage: () => quota.usage(key.fingerprint, key.limit),
    async call(endpoint, input, options) {
      const request = buildRequest(endpoint, input, settings, key.apiKey);
      if (endpoint.method !== 'GET') {
        return callUntilSettled(endpoint, request, options).finally(reads.forget);
      }
      return reads.share(request.url.href, options, (onQueued) =>
        callUntilSettled(endpoint, request, { ...options, ...(onQueued && { onQueued }) }),
      );
    },
  };
}

function mayRepeat(endpoint: Endpoint, error: HostingError, count: number): boolean {
  const most = error.code === 'service_timeout' ? mostAttemptsAfterTimeout : mostAttempts;
  if (count >= most) return false;
  return endpoint.method === 'GET' ? error.retryable : error.failure.fate === 'never-left';
}

function backoff(count: number): Promise<void> {
  const baseMs = firstBackoffMs * 2 ** (count - 1);
  return new Promise((resolve) => setTimeout(resolve, baseMs + Math.random() * baseMs));
}
