import type { Actor } from '../../operations/define/access/actor.ts';
import type { Outcome, RedactedOutcome, Secret, SecretRef } from '../../operations/define/outcome.ts';

/** Secrets that can be shown, without their values. */
export interface StoredSecrets {
  readonly labels: readonly string[];
  readonly runId: string;
  readonly expiresMs: number;
}

export interface RevealedSecrets {
  readonly secrets: readonly Secret[];
  /** Stores the secrets again with the same expiry. Used if they couldn't be shown. */
  restore(): Promise<void>;
}

/** Stores secrets, encrypted, until they expire or the actor has seen them once. */
export interface SecretStore {
  save(secrets: readonly Secret[], of: { readonly runId: string; readonly actor: Actor }): Promise<SecretRef>;
  /** Finds secrets that the actor can still see. Returns undefined for other people. */
  find(id: string, actor: Actor): Promise<StoredSecrets | undefined>;
  /** Returns the ID of the only person who can still see the secrets, or undefined if no one can anymore. */
  findOwner(id: string, teamId: string): Promise<string | undefined>;
  /**
   * Returns the secrets and deletes them. Returns undefined for other people, after the first reveal, and
   * after expiry.
   */
  reveal(id: string, actor: Actor): Promise<RevealedSecrets | undefined>;
  deleteExpired(): Promise<void>;
}

/** Stores an outcome's secrets. Returns the outcome with a reference in their place. */
export async function storeSecrets(
  { secrets, ...redacted }: Outcome,
  store: SecretStore,
  of: { readonly runId: string; readonly actor: Actor },
): Promise<RedactedOutcome> {
  if (!secrets || secrets.length === 0) return redacted;
  return { ...redacted, secretRef: await store.save(secrets, of) };
}
