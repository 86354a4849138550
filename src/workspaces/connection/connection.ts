import { RackhandError } from '../../error.ts';
import type { HostingKey } from '../../hosting/client.ts';
import type { Access } from '../../operations/runs/access.ts';
import { explain, notPermitted, type Problem } from '../../operations/runs/problem.ts';
import type { Asker, Origin } from '../../operations/runs/run.ts';
import type { RunStore } from '../../operations/runs/run-store.ts';
import type { ApiKeyStore, KeptKey } from '../api-key-store.ts';
import type { InstallationStore } from '../installation-store.ts';
import type { GivenKey } from './given-key.ts';
import type { KeyStatus, TryKey } from './key-trial.ts';
import { type KeyChange, keyWords, tellDisconnection } from './tell-connection.ts';

export interface ConnectionParts {
  readonly keys: ApiKeyStore;
  readonly installations: Pick<InstallationStore, 'findFresh'>;
  readonly runs: Pick<RunStore, 'record'>;
  readonly access: Access;
  readonly tryKey: TryKey;
  /** Derives the name under which the quota knows a key. */
  readonly fingerprint: (apiKey: string) => string;
  readonly now?: () => number;
}

export interface Refused {
  readonly kind: 'refused';
  readonly problem: Problem;
}

export type Connecting =
  | Refused
  | {
      readonly kind: 'kept';
      readonly status: KeyStatus;
      /** Requests in any 60 s. */
      readonly limit: number;
      readonly change: KeyChange;
    }
  /** With a sentence to stand beside the field. */
  | { readonly kind: 'wrong'; readonly why: string };

export type Disconnecting = Refused | { readonly kind: 'removed'; readonly wasThere: boolean };

/** What can be done to a key, as the record names it. */
export type KeyAct = 'connect' | 'rotate' | 'disconnect';

/** The connection of workspaces to the hosting service: their API keys. */
export interface Connection {
  /** Describes the key of a workspace, if it has one. */
  describe(teamId: string): Promise<KeptKey | undefined>;
  /** Tells why a person may not change the key, if so, and puts it on record. */
  refusalOf(act: KeyAct, asker: Asker, origin: Origin): Promise<Problem | undefined>;
  /** Tries a key and keeps it, in place of the one before; one that does not prove good changes nothing. */
  connect(given: GivenKey, asker: Asker, origin: Origin): Promise<Connecting>;
  /** Deletes the key. */
  disconnect(asker: Asker, origin: Origin): Promise<Disconnecting>;
  /** Keeps the key that the settings name. One that a person has connected since stands: answers `false` then. */
  provide(teamId: string, given: GivenKey): Promise<boolean>;
}

/** What is acted upon, as the record names it. */
const target = 'API key';

/** Creates the connections of the workspaces. */
export function createConnection(parts: ConnectionParts): Connection {
  const { keys, installations, runs, access, tryKey, fingerprint, now = Date.now } = parts;

  const known = ({ apiKey, limit }: GivenKey) => ({ apiKey, fingerprint: fingerprint(apiKey), limit });

  async function refusalOf(act: KeyAct, asker: Asker, origin: Origin): Promise<Problem | undefined> {
    const refusal = (await access(asker, origin))({ right: 'administer', vps: [] });
    if (!refusal) return undefined;
    const outcome = notPermitted(refusal);
    await runs.record({
      asker,
      operation: act,
      target,
      origin,
      status: 'refused',
      outcome,
      nowMs: now(),
    });
    return outcome;
  }

  /** A key that is kept for a workspace which the app has left would never be deleted. */
  async function absenceOf(teamId: string): Promise<Problem | undefined> {
    if (await installations.findFresh(teamId)) return undefined;
    return explain(new RackhandError('not_installed', 'Rackhand was removed from this workspace.'), {
      changing: false,
    });
  }

  return {
    describe: keys.describe,
    refusalOf,

    async connect(given, asker, origin) {
      const key = known(given);
      const { limit } = given;
      const before = await keys.describe(asker.teamId);
      const operation = before === undefined ? 'connect' : 'rotate';
      const problem = await refusalOf(operation, asker, origin);
      if (problem) return { kind: 'refused', problem };
      const tried = await tryKey(key);
      if (!tried.ok) return { kind: 'wrong', why: tried.why };
      // The trial may have waited, for its slot and for the service: what was so before need not be so any more.
      const lost = (await refusalOf(operation, asker, origin)) ?? (await absenceOf(asker.teamId));
      if (lost) return { kind: 'refused', problem: lost };
      const { status } = tried;
      const nowMs = now();
      // Of two who give the same key at once, or of one who is delivered twice, one changes something.
      const isChanged = await keys.save(asker.teamId, key, nowMs, asker.userId);
      const change = isChanged ? changeOf(before, key) : 'same';
      if (isChanged) {
        const outcome = keyWords({ status, limit, change });
        await runs.record({ asker, operation, target, origin, status: 'done', outcome, nowMs });
      }
      return { kind: 'kept', status, limit, change };
    },

    async disconnect(asker, origin) {
      const operation = 'disconnect';
      const problem = await refusalOf(operation, asker, origin);
      if (problem) return { kind: 'refused', problem };
      const wasThere = await keys.remove(asker.teamId);
      if (wasThere) {
        const { title } = tellDisconnection(wasThere);
        await runs.record({
          asker,
          operation,
          target,
          origin,
          status: 'done',
          outcome: { title },
          nowMs: now(),
        });
      }
      return { kind: 'removed', wasThere };
    },

    async provide(teamId, given) {
      const key = known(given);
      const kept = await keys.describe(teamId);
      const isSame = kept?.fingerprint === key.fingerprint;
      if (!isSame && !kept?.connectedBy) await keys.save(teamId, key, now());
      return isSame || !kept?.connectedBy;
    },
  };
}

function changeOf(before: KeptKey | undefined, { fingerprint }: HostingKey): KeyChange {
  if (before === undefined) return 'connected';
  return before.fingerprint === fingerprint ? 'resized' : 'replaced';
}
