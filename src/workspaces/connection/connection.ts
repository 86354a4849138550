import type { HostingKey } from '../../hosting/client.ts';
import type { Asker, Origin } from '../../operations/runs/run.ts';
import type { RunStore } from '../../operations/runs/run-store.ts';
import type { ApiKeyStore, KeptKey } from '../api-key-store.ts';
import type { GivenKey } from './given-key.ts';
import type { KeyStatus, TryKey } from './key-trial.ts';
import { keyWords } from './tell-connection.ts';

export interface ConnectionParts {
  readonly keys: ApiKeyStore;
  readonly runs: Pick<RunStore, 'record'>;
  readonly tryKey: TryKey;
  /** Derives the name under which the quota knows a key. */
  readonly fingerprint: (apiKey: string) => string;
  readonly now?: () => number;
}

export type Connecting =
  | { readonly ok: true; readonly status: KeyStatus; readonly limit: number; readonly change: KeyChange }
  /** A sentence to stand beside the field. */
  | { readonly ok: false; readonly why: string };

/** What a key that was given did: came as the first, took the place of another, or was there already. */
export type KeyChange = 'connected' | 'replaced' | 'same';

/** The connection of workspaces to the hosting service: their API keys. Who may change it is asked elsewhere. */
export interface Connection {
  /** Describes the key of a workspace, if it has one. */
  describe(teamId: string): Promise<KeptKey | undefined>;
  /** Tries a key and keeps it, in place of the one before; one that does not prove good changes nothing. */
  connect(given: GivenKey, asker: Asker, origin: Origin): Promise<Connecting>;
  /** Deletes the key, and answers whether there was one. */
  disconnect(asker: Asker, origin: Origin): Promise<boolean>;
  /** Keeps the key that the settings name. One that a person has connected since stands: answers `false` then. */
  provide(teamId: string, apiKey: string, limit: number): Promise<boolean>;
}

/** Creates the connections of the workspaces. */
export function createConnection(parts: ConnectionParts): Connection {
  const { keys, runs, tryKey, fingerprint, now = Date.now } = parts;

  const hostingKey = ({ apiKey, limit }: GivenKey): HostingKey => ({
    apiKey,
    fingerprint: fingerprint(apiKey),
    limit,
  });

  const target = 'API key';

  return {
    describe: keys.describe,

    async connect(given, asker, origin) {
      const key = hostingKey(given);
      const tried = await tryKey(key);
      if (!tried.ok) return tried;
      const { status } = tried;
      const before = await keys.describe(asker.teamId);
      const nowMs = now();
      // Of two who give the same key at once, or of one who is delivered twice, one changes something.
      const isChanged = await keys.save(asker.teamId, key, nowMs, asker.userId);
      const change = before === undefined ? 'connected' : isChanged ? 'replaced' : 'same';
      if (isChanged) {
        const operation = change === 'connected' ? 'connect' : 'rotate';
        const outcome = keyWords({ status, limit: given.limit, change });
        await runs.record({ asker, operation, target, origin, status: 'done', outcome, nowMs });
      }
      return { ok: true, status, limit: given.limit, change };
    },

    async disconnect(asker, origin) {
      const isRemoved = await keys.remove(asker.teamId);
      if (isRemoved) {
        const outcome = { title: 'The API key was deleted' };
        const entry = { asker, operation: 'disconnect', target, origin, outcome };
        await runs.record({ ...entry, status: 'done', nowMs: now() });
      }
      return isRemoved;
    },

    async provide(teamId, apiKey, limit) {
      const key = hostingKey({ apiKey, limit });
      const kept = await keys.describe(teamId);
      if (kept && kept.connectedBy !== null) return kept.fingerprint === key.fingerprint;
      await keys.save(teamId, { ...key, limit: kept?.limit ?? limit }, now());
      return true;
    },
  };
}
