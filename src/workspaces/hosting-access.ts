import { RackhandError } from '../error.ts';
import {
  type CallOptions,
  createHostingClient,
  type HostingClient,
  type HostingKey,
} from '../hosting/client.ts';
import type { Quota } from '../hosting/quota/quota.ts';
import type { RequestSettings } from '../hosting/request.ts';
import type { Transport } from '../hosting/transport.ts';
import type { ApiKeyStore } from './api-key-store.ts';

interface HostingAccessParts {
  readonly keys: Pick<ApiKeyStore, 'find'>;
  readonly settings: RequestSettings;
  readonly transport: Transport;
  readonly quota: Quota;
}

/** Gives the hosting service as a workspace's key sees it. Calls throw `key_missing` where the workspace has none. */
export type HostingAccess = (teamId: string) => HostingClient;

/** Says that a call waited for a slot of a key which is no longer the workspace's. It never left. */
class KeyReplaced extends Error {}

/**
 * Creates what gives each workspace the client of its key. Workspaces with the same key share one client, and so its quota. What has waited
 * while the key was replaced goes on with the new one.
 */
export function createHostingAccess({ keys, settings, transport, quota }: HostingAccessParts): HostingAccess {
  const clients = new Map<string, { key: HostingKey; client: HostingClient }>();

  async function keyOf(teamId: string): Promise<HostingKey> {
    const key = await keys.find(teamId);
    if (key) return key;
    throw new RackhandError('key_missing', 'This workspace is not connected to the hosting service yet.');
  }

  function clientOf(key: HostingKey): HostingClient {
    const kept = clients.get(key.fingerprint);
    if (kept?.key.limit === key.limit) return kept.client;
    const client = createHostingClient(settings, key, { transport, quota });
    clients.set(key.fingerprint, { key, client });
    return client;
  }

  /** Looks right before a call leaves whether its key is still the workspace's. */
  function unlessReplaced(teamId: string, key: HostingKey, options: CallOptions): CallOptions {
    return {
      ...options,
      async beforeLeaving() {
        if ((await keys.find(teamId))?.fingerprint !== key.fingerprint) throw new KeyReplaced();
        await options.beforeLeaving?.();
      },
    };
  }

  return (teamId) => ({
    async call(endpoint, input, options) {
      for (;;) {
        const key = await keyOf(teamId);
        try {
          return await clientOf(key).call(endpoint, input, unlessReplaced(teamId, key, options));
        } catch (error) {
          if (!(error instanceof KeyReplaced)) throw error;
        }
      }
    },
    usage: async () => clientOf(await keyOf(teamId)).usage(),
  });
}
