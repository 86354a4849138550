import { RackhandError } from '../../errors.ts';
import { formatList } from '../../format-list.ts';
import type { HostingKey } from '../../hosting/client/hosting-client.ts';
import { permissions } from '../../hosting/endpoints/endpoint.ts';
import type { ResolveAccess } from '../../operations/define/access/access.ts';
import type { Actor, Origin } from '../../operations/define/access/actor.ts';
import { deniedProblem, type Problem, toProblem } from '../../runs/problem.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import type { InstallationStore } from '../installation-store.ts';
import type { ApiKeyInput } from './api-key-input.ts';
import type { ApiKeyStore, StoredKey } from './api-key-store.ts';
import { formatKeySummary, type KeyChange } from './format-api-key.ts';
import type { KeyStatus, VerifyKey } from './key-verifier.ts';

export interface ApiKeyManagerDependencies {
  readonly keys: ApiKeyStore;
  readonly installations: Pick<InstallationStore, 'findFresh'>;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  readonly resolveAccess: ResolveAccess;
  readonly verifyKey: VerifyKey;
  /** Derives the ID under which the key's quota is counted. */
  readonly fingerprint: (apiKey: string) => string;
  /** Called after a person connects or replaces a key. Not called for a key from the settings. */
  readonly onConnected?: (teamId: string) => void;
  readonly now?: () => number;
}

export interface KeyChangeDenied {
  readonly kind: 'denied';
  readonly problem: Problem;
}

export type ConnectResult =
  | KeyChangeDenied
  | {
      readonly kind: 'saved';
      readonly status: KeyStatus;
      /** Requests allowed in any 60 s. */
      readonly limit: number;
      readonly change: KeyChange;
    }
  /** `reason` is a sentence for the input field. */
  | { readonly kind: 'invalid'; readonly reason: string };

/** The operations that ask for a key, as the activity log names them. */
export type KeyAction = 'connect' | 'rotate';

export interface ApiKeyManager {
  /** Returns what is known about the workspace's key, without the key itself. */
  describe(teamId: string): Promise<StoredKey | undefined>;
  /**
   * Returns why the actor isn't allowed to change the key, or undefined if they are allowed. A denial is
   * added to the activity log.
   */
  findDenial(action: KeyAction, actor: Actor, origin: Origin): Promise<Problem | undefined>;
  /**
   * Verifies a key and saves it in place of the previous one. Changes nothing if the key is invalid. A key
   * that lacks a permission replaces another key only if `acceptsFewerPermissions` is set.
   */
  connect(
    input: ApiKeyInput,
    actor: Actor,
    origin: Origin,
    options?: { readonly acceptsFewerPermissions?: boolean },
  ): Promise<ConnectResult>;
  /** Deletes a workspace's key. Returns false if it has none. */
  disconnect(teamId: string): Promise<boolean>;
  /** Saves the key from the settings. Returns false, without saving, if a person has connected another key. */
  saveFromSettings(teamId: string, input: ApiKeyInput): Promise<boolean>;
}

/** The label of the checkbox that accepts a key with fewer permissions. */
export const acceptFewerLabel = 'Accept a key with fewer permissions';

/** The target that the activity log shows for changes to the key. */
export const auditTarget = 'API key';

export function createApiKeyManager(dependencies: ApiKeyManagerDependencies): ApiKeyManager {
  const {
    keys,
    installations,
    runs,
    resolveAccess,
    verifyKey,
    fingerprint,
    onConnected,
    now = Date.now,
  } = dependencies;

  const toHostingKey = ({ apiKey, limit }: ApiKeyInput) => ({
    apiKey,
    fingerprint: fingerprint(apiKey),
    limit,
  });

  async function findDenial(action: KeyAction, actor: Actor, origin: Origin): Promise<Problem | undefined> {
    const denial = (await resolveAccess(actor, origin))({ right: 'admin', vps: [] });
    if (!denial) return undefined;
    const problem = deniedProblem(denial);
    await runs.addAuditEntry({
      actor,
      operation: action,
      target: auditTarget,
      origin,
      status: 'refused',
      problem,
      nowMs: now(),
    });
    return problem;
  }

  /** Returns a problem if the app was uninstalled, because a key saved after that would never be deleted. */
  async function findMissingInstallation(teamId: string): Promise<Problem | undefined> {
    if (await installations.findFresh(teamId)) return undefined;
    return toProblem(new RackhandError('not_installed', 'Rackhand was removed from this workspace.'), {
      isChanging: false,
    });
  }

  return {
    describe: keys.describe,
    findDenial,

    async connect(input, actor, origin, { acceptsFewerPermissions = false } = {}) {
      const key = toHostingKey(input);
      const { limit } = input;
      const before = await keys.describe(actor.teamId);
      const operation = before === undefined ? 'connect' : 'rotate';
      const problem = await findDenial(operation, actor, origin);
      if (problem) return { kind: 'denied', problem };
      const lowest = await keys.findLowestLimit(key.fingerprint);
      const verification = await verifyKey({ ...key, limit: Math.min(limit, lowest ?? limit) });
      if (verification.kind === 'invalid') return { kind: 'invalid', reason: verification.reason };
      const isReplaced = before !== undefined && before.fingerprint !== key.fingerprint;
      const fewer = isReplaced && !acceptsFewerPermissions ? describeMissing(verification.status) : undefined;
      if (fewer !== undefined) return { kind: 'invalid', reason: fewer };
      // The right and the installation are checked again, because either could have changed during
      // verification.
      const revoked =
        (await findDenial(operation, actor, origin)) ?? (await findMissingInstallation(actor.teamId));
      if (revoked) return { kind: 'denied', problem: revoked };
      const { status } = verification;
      const nowMs = now();
      // If the same key is submitted twice at once, only one of the submissions changes anything.
      const isChanged = await keys.save(actor.teamId, key, nowMs, actor.userId);
      const change = isChanged ? toKeyChange(before, key) : 'unchanged';
      if (isChanged) {
        const outcome = formatKeySummary({ status, limit, change });
        await runs.addAuditEntry({
          actor,
          operation,
          target: auditTarget,
          origin,
          status: 'done',
          outcome,
          nowMs,
        });
        onConnected?.(actor.teamId);
      }
      return { kind: 'saved', status, limit, change };
    },

    disconnect: keys.remove,

    async saveFromSettings(teamId, input) {
      const key = toHostingKey(input);
      const stored = await keys.describe(teamId);
      const isSame = stored?.fingerprint === key.fingerprint;
      if (!isSame && !stored?.connectedBy) await keys.save(teamId, key, now());
      return isSame || !stored?.connectedBy;
    },
  };
}

/** Returns what to confirm before a key that lacks permissions replaces another one, or undefined if it lacks none. */
function describeMissing({ permissions: held }: KeyStatus): string | undefined {
  const missing = permissions.filter((permission) => !held.includes(permission));
  return missing.length === 0
    ? undefined
    : `This key has no ${formatList(missing, 'or')}. To use it anyway, tick “${acceptFewerLabel}”.`;
}

function toKeyChange(before: StoredKey | undefined, { fingerprint }: HostingKey): KeyChange {
  if (before === undefined) return 'connected';
  return before.fingerprint === fingerprint ? 'resized' : 'replaced';
}
