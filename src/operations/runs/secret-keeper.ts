import type { KeptSecrets, Outcome, Secret, ToldOutcome } from '../outcome.ts';
import type { Asker } from './run.ts';

export interface TakenSecrets {
  readonly secrets: readonly Secret[];
  readonly runId: string;
  /** Keeps them again, until the same time: they could not be shown. */
  putBack(): Promise<void>;
}

/** Keeps secrets encrypted until their asker has seen them, once, or until they expire. */
export interface SecretKeeper {
  keep(
    secrets: readonly Secret[],
    of: { readonly runId: string; readonly asker: Asker },
  ): Promise<KeptSecrets>;
  /** Gives them and deletes them; nothing for anybody but their asker, a second time, or too late. */
  take(id: string, asker: Asker): Promise<TakenSecrets | undefined>;
  forgetExpired(): Promise<void>;
}

/** Puts the secrets of an outcome away, so that what is left can be told and recorded. */
export async function withoutSecrets(
  { secrets, ...told }: Outcome,
  keeper: SecretKeeper,
  of: { readonly runId: string; readonly asker: Asker },
): Promise<ToldOutcome> {
  if (!secrets || secrets.length === 0) return told;
  return { ...told, kept: await keeper.keep(secrets, of) };
}
