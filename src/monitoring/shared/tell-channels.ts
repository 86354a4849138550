import { randomUUID } from 'node:crypto';
import type { Database } from '../../db/engines/database.ts';
import type { PostOutcome } from '../../messages/post-outcome.ts';
import type { Outcome } from '../../operations/define/outcome.ts';

/** Posts an outcome in channels that should know what a person did elsewhere. */
export type TellChannels = (
  teamId: string,
  channels: readonly string[],
  outcome: Outcome,
  transaction?: Database,
) => Promise<void>;

export function createTellChannels(postOutcome: PostOutcome): TellChannels {
  return async (teamId, channels, outcome, transaction) => {
    for (const channel of new Set(channels))
      await postOutcome(`told:${randomUUID()}`, { teamId, channel }, outcome, { transaction });
  };
}
