import type { Database } from '../../db/engines/database.ts';
import type { PostOutcome } from '../../messages/post-outcome.ts';
import type { Outcome } from '../../operations/define/outcome.ts';

/** Maximum number of admins who get a message. In a large workspace, not every admin needs it. */
const maxAdmins = 10;

interface AdminNotice {
  /** The message's key, unique within the workspace. */
  readonly key: string;
  readonly teamId: string;
  readonly outcome: Outcome;
}

export async function postToAdmins(
  post: PostOutcome,
  { key, teamId, outcome }: AdminNotice,
  admins: readonly string[],
  transaction: Database,
): Promise<void> {
  for (const admin of admins.slice(0, maxAdmins))
    await post(`${key}:${admin}`, { teamId, channel: admin }, outcome, { transaction });
}
