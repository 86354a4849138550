import { createHash } from 'node:crypto';
import { RackhandError } from '../errors.ts';
import {
  type CallOptions,
  createHostingClient,
  type HostingClient,
  type HostingKey,
} from '../hosting/client/hosting-client.ts';
import { createReadCaches } from '../hosting/client/read-cache.ts';
import type { RequestSettings } from '../hosting/client/request.ts';
import type { ServiceBreaker } from '../hosting/client/service-breaker.ts';
import type { Transport } from '../hosting/client/transport.ts';
import type { Endpoint } from '../hosting/endpoints/endpoint.ts';
import { getStatus } from '../hosting/endpoints/system.ts';
import type { RateLimiter } from '../hosting/quota/rate-limiter.ts';
import type { ApiKeyStore } from './api-key/api-key-store.ts';

interface HostingClientsDependencies {
  readonly keys: Pick<ApiKeyStore, 'find'>;
  readonly settings: RequestSettings;
  readonly transport: Transport;
  readonly rateLimiter: RateLimiter;
  /** Refuses changes while the service doesn't answer. `probeWith` repeats a read until changes are accepted again. */
  readonly breaker?: Pick<ServiceBreaker, 'isOpen' | 'probeWith'>;
  /** Applies a workspace's field mappings to a payload. */
  readonly mapPayload?: MapPayload;
  /** Throws if the workspace is suspended. */
  readonly assertActive: (teamId: string) => Promise<void>;
}

/** Applies a workspace's field mappings to the payload of a call and returns the result. */
export type MapPayload = <Data>(
  teamId: string,
  endpoint: Endpoint,
  input: { readonly params?: object },
  data: Data,
) => Promise<Data>;

/** Returns the hosting client of a workspace. Its calls throw `key_missing` if the workspace has no key. */
export type HostingClientFor = (teamId: string) => HostingClient;

/** Thrown by a call if its key was replaced. The call is then repeated with the new key. */
class KeyReplacedError extends Error {}

/** A call that hasn't been sent yet. */
interface PendingCall {
  readonly fingerprint: string;
  /** Rejects the call if it is still waiting for a quota slot. */
  giveUp(): void;
}

/**
 * Creates a function that returns a workspace's hosting client. There is one client for each key:
 * workspaces with the same key share the client and its quota. All clients share one memory limit for
 * cached reads. If a key is replaced, calls that are still waiting are sent with the new key.
 */
export function createHostingClients({
  keys,
  settings,
  transport,
  rateLimiter,
  breaker,
  mapPayload = async (_teamId, _endpoint, _input, data) => data,
  assertActive,
}: HostingClientsDependencies): HostingClientFor {
  const clients = new Map<string, { readonly key: { limit: number }; readonly client: HostingClient }>();
  const readCacheFor = createReadCaches(Date.now);
  /** The pending calls of each workspace. */
  const pendingCalls = new Map<string, Set<PendingCall>>();

  async function findKey(teamId: string): Promise<HostingKey> {
    await assertActive(teamId);
    const key = await keys.find(teamId);
    for (const pending of pendingCalls.get(teamId) ?? [])
      if (pending.fingerprint !== key?.fingerprint) pending.giveUp();
    if (key) return key;
    throw new RackhandError('key_missing', "This workspace isn't connected to the hosting service yet.");
  }

  function findOrCreateClient(key: HostingKey): HostingClient {
    const existing = clients.get(key.fingerprint);
    if (existing) {
      // Changed in place, because retries and ongoing reads of lists take the quota from the same object.
      existing.key.limit = key.limit;
      return existing.client;
    }
    const readCache = readCacheFor(key.fingerprint);
    const current = { ...key };
    const client = createHostingClient(settings, current, { transport, rateLimiter, readCache });
    clients.set(key.fingerprint, { key: current, client });
    return client;
  }

  /**
   * Makes a call with the workspace's key. Throws `KeyReplacedError` if the key is replaced before the
   * call is sent. Stops waiting for a slot as soon as the new key is noticed, because the old key may be
   * paused for an hour.
   */
  async function callWithKey<T>(
    teamId: string,
    key: HostingKey,
    options: CallOptions,
    call: (options: CallOptions) => Promise<T>,
  ): Promise<T> {
    const replaced = Promise.withResolvers<never>();
    let state: 'waiting' | 'sending' | 'given up' = 'waiting';
    const pending: PendingCall = {
      fingerprint: key.fingerprint,
      giveUp() {
        if (state !== 'waiting') return;
        state = 'given up';
        replaced.reject(new KeyReplacedError());
      },
    };
    const pendingOfTeam = pendingCalls.get(teamId) ?? new Set();
    pendingCalls.set(teamId, pendingOfTeam.add(pending));
    async function assertNotReplaced(): Promise<void> {
      if ((await keys.find(teamId))?.fingerprint !== key.fingerprint) throw new KeyReplacedError();
    }
    const answer = call({
      ...options,
      caller: toCaller(teamId, options.caller),
      onQueued(...wait) {
        if (state !== 'given up') options.onQueued?.(...wait);
      },
      async beforeSend() {
        if (state === 'given up') throw new KeyReplacedError();
        state = 'sending';
        await assertNotReplaced();
        await options.beforeSend?.();
      },
    });
    try {
      const data = await Promise.race([answer, replaced.promise]);
      // If the state is still `waiting`, another workspace's read may have answered this one.
      if (state === 'waiting') await assertNotReplaced();
      return data;
    } finally {
      pendingOfTeam.delete(pending);
    }
  }

  /** While changes are refused, probes the service to find out when it answers again. */
  function probeIfDown(teamId: string): void {
    if (!breaker?.isOpen()) return;
    breaker.probeWith(() => clientFor(teamId).call(getStatus, {}, { lane: 'people', caller: 'probe' }));
  }

  const clientFor: HostingClientFor = (teamId) => ({
    async call(endpoint, input, options) {
      for (;;) {
        const key = await findKey(teamId);
        try {
          const data = await callWithKey(teamId, key, options, (callOptions) =>
            findOrCreateClient(key).call(endpoint, input, callOptions),
          );
          return await mapPayload(teamId, endpoint, input, data);
        } catch (error) {
          if (error instanceof KeyReplacedError) continue;
          probeIfDown(teamId);
          throw error;
        }
      }
    },
    usage: async (caller) => findOrCreateClient(await findKey(teamId)).usage(toCaller(teamId, caller)),
  });
  return clientFor;
}

/**
 * Returns a caller name that is unique across workspaces, because workspaces can share a key. The name is
 * hashed, because it is stored and must not reveal a person's ID.
 */
function toCaller(teamId: string, caller = ''): string {
  return createHash('sha256').update(`${teamId} ${caller}`).digest('base64url');
}
