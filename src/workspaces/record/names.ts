import type { RecordedRun } from './recorded-run.ts';

/** Gives what a person is called; the id where that is not known. */
export type NameOf = (teamId: string, userId: string) => Promise<string>;

/** Names whoever asked for a run, and whoever else decided on it: "alice, approved by bob". */
export async function namesIn(
  { asker: { teamId, userId }, approvedBy, declinedBy }: RecordedRun,
  nameOf: NameOf,
): Promise<string> {
  const decided = [
    ...(approvedBy === null ? [] : [`approved by ${await nameOf(teamId, approvedBy)}`]),
    ...(declinedBy === null ? [] : [`declined by ${await nameOf(teamId, declinedBy)}`]),
  ];
  return [await nameOf(teamId, userId), ...decided].join(', ');
}
