import { createRequire } from 'node:module';
import { inspect } from 'node:util';
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { createHostingClient, type HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import type { KeyHeader } from '../../../src/hosting/client/request.ts';
import { createTransport, type TransportLimits } from '../../../src/hosting/client/transport.ts';
import type { PathOverrides } from '../../../src/hosting/endpoints/contract.ts';
import { HostingError } from '../../../src/hosting/hosting-error.ts';
import {
  createRateLimiter,
  type QuotaUsage,
  type RateLimiter,
} from '../../../src/hosting/quota/rate-limiter.ts';
import type { HostingSandboxOptions } from '../../../src/sandbox/hosting/sandbox.ts';
import {
  type HostingSandboxFixture,
  startHostingSandbox,
} from '../../sandbox/hosting/hosting-sandbox-fixture.ts';
import { respond, startTestHttpServer } from './test-servers.ts';

export const peopleCall = { lane: 'people' } as const;
export const backgroundCall = { lane: 'background' } as const;

const fingerprint = 'test key';

interface ClientHarnessOptions {
  readonly apiKey?: string;
  readonly keyHeader?: KeyHeader;
  readonly pathOverrides?: PathOverrides;
  readonly limits?: Partial<TransportLimits>;
  /** The key's quota: calls in each window. */
  readonly limit?: number;
  readonly windowMs?: number;
  /** The quota aborts calls that take longer than this. */
  readonly callTimeoutMs?: number;
}

export interface ClientHarness {
  readonly client: HostingClient;
  readonly limiter: RateLimiter;
  usage(): Promise<QuotaUsage>;
}

/** Creates a real client with its own transport and quota. They are closed after the test. */
export async function createClientHarness(
  baseUrl: string,
  options: ClientHarnessOptions = {},
): Promise<ClientHarness> {
  const {
    apiKey = 'sandbox-key-full',
    keyHeader = 'authorization',
    pathOverrides = {},
    limits,
    limit = 10_000,
    windowMs = 60_000,
    callTimeoutMs = 1e8,
  } = options;
  const transport = createTransport(limits);
  const limiter = createRateLimiter({ callTimeoutMs, windowMs, personShare: 1 });
  onTestFinished(async () => {
    await limiter.close();
    await transport.close();
  });
  const settings = { baseUrl, keyHeader, pathOverrides };
  const client = createHostingClient(
    settings,
    { apiKey, fingerprint, limit },
    { transport, rateLimiter: limiter },
  );
  return { client, limiter, usage: () => limiter.usage(fingerprint, limit) };
}

/** Creates a client whose server always sends the given response. */
export async function createClientForResponse(
  status: number,
  body?: unknown,
  headers?: Record<string, string>,
) {
  const server = await startTestHttpServer((response) => respond(response, status, body, headers));
  return { server, ...(await createClientHarness(server.url)) };
}

const callLogSchema = z.object({
  calls: z.array(z.object({ at: z.number(), method: z.string(), path: z.string(), status: z.number() })),
});

export interface SandboxClientHarness extends ClientHarness {
  readonly sandbox: HostingSandboxFixture;
  /** Returns the calls that reached the service. */
  listCalls(): Promise<z.output<typeof callLogSchema>['calls']>;
  /** Injects a fault. By default, it affects the next call. */
  injectFault(fault: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Starts a sandbox that uses the test's clock, and a real client for it. */
export async function startSandboxClientHarness({
  sandbox: sandboxOptions,
  ...options
}: ClientHarnessOptions & {
  readonly sandbox?: Partial<HostingSandboxOptions>;
} = {}): Promise<SandboxClientHarness> {
  const sandbox = await startHostingSandbox({ now: () => Date.now(), ...sandboxOptions });
  return {
    ...(await createClientHarness(sandbox.url, options)),
    sandbox,
    listCalls: async () => callLogSchema.parse((await sandbox.call('GET', '/sandbox/calls')).body).calls,
    async injectFault(fault) {
      const { status } = await sandbox.call('POST', '/sandbox/faults', { body: fault });
      if (status !== 200) throw new Error(`The sandbox rejected the fault ${JSON.stringify(fault)}.`);
    },
  };
}

/** Returns the HostingError with which a call fails. */
export async function catchHostingError(call: Promise<unknown>): Promise<HostingError> {
  const outcome = await call.catch((error: unknown) => error);
  if (outcome instanceof HostingError) return outcome;
  throw new Error(`Expected a HostingError, not ${inspect(outcome)}`);
}

/** Transport limits for tests with fake time, which passes faster than sockets can work. */
export const relaxedLimits: Partial<TransportLimits> = {
  connectTimeoutMs: 1e8,
  headersTimeoutMs: 1e8,
  bodyTimeoutMs: 1e8,
};

const undiciTimers: { reset(): void } = createRequire(import.meta.url)('undici/lib/util/timers.js');

/**
 * Fakes timers and the date for all tests of a file. undici shares one timer among all its timeouts, and must
 * begin a new one, fake or real, whenever this changes.
 */
export function useFakeTime(): void {
  beforeAll(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    });
    undiciTimers.reset();
  });
  afterAll(() => {
    vi.useRealTimers();
    undiciTimers.reset();
  });
}

/**
 * Advances fake time by 1 ms in each turn of the event loop until a promise settles. Returns the
 * promise.
 */
export async function advanceUntilSettled<T>(promise: Promise<T>, maxMs = 5_000_000): Promise<T> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  for (let elapsedMs = 0; !isSettled && elapsedMs < maxMs; elapsedMs += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(1);
  }
  if (!isSettled) throw new Error(`The promise did not settle in ${maxMs} ms.`);
  return promise;
}

/** Advances fake time by 1 ms in each turn of the event loop. */
export async function advanceTime(ms: number): Promise<void> {
  for (let elapsedMs = 0; elapsedMs < ms; elapsedMs += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(1);
  }
}
