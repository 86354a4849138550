import type { AuditEntry } from './audit-entry.ts';

/** Returns a person's display name, or the ID if the name is unknown. */
export type FindDisplayName = (teamId: string, userId: string) => Promise<string>;

/** Formats the names of the actor and of whoever approved or declined the run: "alice, approved by bob". */
export async function formatActors(
  { actor: { teamId, userId }, approvedBy, declinedBy }: AuditEntry,
  findDisplayName: FindDisplayName,
): Promise<string> {
  const decisions = [
    ...(approvedBy === null
      ? []
      : approvedBy === userId
        ? ['broke the glass']
        : [`approved by ${await findDisplayName(teamId, approvedBy)}`]),
    ...(declinedBy === null ? [] : [`declined by ${await findDisplayName(teamId, declinedBy)}`]),
  ];
  return [await findDisplayName(teamId, userId), ...decisions].join(', ');
}
