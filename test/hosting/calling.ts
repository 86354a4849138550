import { inspect } from 'node:util';
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { createHostingClient, type HostingClient } from '../../src/hosting/client.ts';
import type { OpenPaths } from '../../src/hosting/contract.ts';
import { HostingError } from '../../src/hosting/hosting-error.ts';
import { createQuota, type Quota, type QuotaUsage } from '../../src/hosting/quota/quota.ts';
import type { KeyHeader } from '../../src/hosting/request.ts';
import { createTransport, type TransportLimits } from '../../src/hosting/transport.ts';
import type { HostingSandboxOptions } from '../../src/sandbox/hosting/sandbox.ts';
import { type RunningSandbox, startSandbox } from '../sandbox/hosting/running-sandbox.ts';

export const people = { lane: 'people' } as const;
export const background = { lane: 'background' } as const;

const fingerprint = 'the key of this test';

interface CallingOptions {
  readonly apiKey?: string;
  readonly keyHeader?: KeyHeader;
  readonly openPaths?: OpenPaths;
  readonly limits?: Partial<TransportLimits>;
  /** Calls that the key may make in a window. */
  readonly limit?: number;
  readonly windowMs?: number;
  /** Longest that the quota lets a call take. */
  readonly callTimeoutMs?: number;
}

export interface Calling {
  readonly client: HostingClient;
  readonly quota: Quota;
  usage(): Promise<QuotaUsage>;
}

/** Creates the real client of a key, over a transport and a quota of its own that end with the test. */
export async function createCalling(baseUrl: string, options: CallingOptions = {}): Promise<Calling> {
  const {
    apiKey = 'sandbox-key-full',
    keyHeader = 'authorization',
    openPaths = {},
    limits,
    limit = 10_000,
    windowMs = 60_000,
    callTimeoutMs = 1e8,
  } = options;
  const transport = createTransport(limits);
  const quota = await createQuota({ callTimeoutMs, windowMs, marginMs: 5 });
  onTestFinished(async () => {
    await quota.close();
    await transport.close();
  });
  const settings = { baseUrl, keyHeader, openPaths };
  const client = createHostingClient(settings, { apiKey, fingerprint, limit }, { transport, quota });
  return { client, quota, usage: () => quota.usage(fingerprint, limit) };
}

const log = z.object({
  calls: z.array(z.object({ at: z.number(), method: z.string(), path: z.string(), status: z.number() })),
});

export interface SandboxCalling extends Calling {
  readonly sandbox: RunningSandbox;
  /** The log of the calls that reached the service. */
  calls(): Promise<z.output<typeof log>['calls']>;
  /** Arms a fault, for the next call unless the order says otherwise. */
  arm(order: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Starts a sandbox that keeps the test's time, and the real client of a key of it. */
export async function startCalling({
  sandbox: sandboxOptions,
  ...options
}: CallingOptions & { readonly sandbox?: Partial<HostingSandboxOptions> } = {}): Promise<SandboxCalling> {
  const sandbox = await startSandbox({ now: () => Date.now(), ...sandboxOptions });
  return {
    ...(await createCalling(sandbox.url, options)),
    sandbox,
    calls: async () => log.parse((await sandbox.call('GET', '/sandbox/calls')).body).calls,
    async arm(order) {
      const { status } = await sandbox.call('POST', '/sandbox/faults', { body: order });
      if (status !== 200) throw new Error(`The sandbox did not take the fault ${JSON.stringify(order)}.`);
    },
  };
}

/** Gives the HostingError with which a call fails. */
export async function failureOf(call: Promise<unknown>): Promise<HostingError> {
  const outcome = await call.catch((error: unknown) => error);
  if (outcome instanceof HostingError) return outcome;
  throw new Error(`Expected a HostingError, not ${inspect(outcome)}`);
}

/** Transport limits for a test under fake time, which runs ahead of what happens on a socket. */
export const patientLimits: Partial<TransportLimits> = {
  connectTimeoutMs: 1e8,
  headersTimeoutMs: 1e8,
  bodyTimeoutMs: 1e8,
};

/**
 * Replaces time for all tests of a file, but leaves sockets alone. Not for single tests: undici keeps one timer for all of
 * its timeouts, which would be lost from one to the next.
 */
export function useFakeTime(): void {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  });
  afterAll(() => {
    vi.useRealTimers();
  });
}

/** Lets fake time pass, a millisecond for every turn of the event loop, until a promise settles; gives what it does. */
export async function settle<T>(promise: Promise<T>, mostMs = 5_000_000): Promise<T> {
  let isSettled = false;
  const ended = () => {
    isSettled = true;
  };
  promise.then(ended, ended);
  for (let elapsedMs = 0; !isSettled && elapsedMs < mostMs; elapsedMs += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(1);
  }
  if (!isSettled) throw new Error(`Nothing came of it in ${mostMs} ms.`);
  return promise;
}

/** Lets fake time pass for that long. */
export async function pass(ms: number): Promise<void> {
  for (let elapsedMs = 0; elapsedMs < ms; elapsedMs += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(1);
  }
}
