import { RackhandError } from '../error.ts';
import { createHostingClient, type HostingClient } from '../hosting/client.ts';
import type { Quota } from '../hosting/quota/quota.ts';
import type { RequestSettings } from '../hosting/request.ts';
import type { Transport } from '../hosting/transport.ts';
import type { ApiKeyStore } from './api-key-store.ts';

interface HostingAccessParts {
  readonly keys: ApiKeyStore;
  readonly settings: RequestSettings;
  readonly transport: Transport;
  readonly quota: Quota;
}

/** Gives the hosting service as a workspace's key sees it. Calls throw `key_missing` where the workspace has none. */
export type HostingAccess = (teamId: string) => HostingClient;

/** Creates what gives each workspace the client of its key. Workspaces with the same key share one client, and so its quota. */
export function createHostingAccess({ keys, settings, transport, quota }: HostingAccessParts): HostingAccess {
  const clients = new Map<string, { apiKey: string; limit: number; client: HostingClient }>();

  async function clientOf(teamId: string): Promise<HostingClient> {
    const key = await keys.find(teamId);
    if (!key)
      throw new RackhandError('key_missing', 'This workspace is not connected to the hosting service yet.');
    const kept = clients.get(key.fingerprint);
    if (kept?.apiKey === key.apiKey && kept.limit === key.limit) return kept.client;
    const client = createHostingClient(settings, key, { transport, quota });
    clients.set(key.fingerprint, { apiKey: key.apiKey, limit: key.limit, client });
    return client;
  }

  return (teamId) => ({
    call: async (...call) => (await clientOf(teamId)).call(...call),
    usage: async () => (await clientOf(teamId)).usage(),
  });
}
