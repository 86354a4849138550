import type { MemberDirectory } from '../../auth/member-directory.ts';
import type { Fact, RedactedOutcome, Value } from '../../operations/define/outcome.ts';
import type { Run } from '../../runs/run.ts';

/** Replaces people and user groups in an outcome with their names, because mentions in a channel would notify them. */
export type ResolveMentions = (outcome: RedactedOutcome, teamId: string) => Promise<RedactedOutcome>;

/** Returns the name of a person involved in a run, as text that doesn't notify them. */
export type FormatPerson = (userId: string) => string;

/** Returns a function that loads the names of a run's requester and of the people who decided on the run. */
export function createPersonFormatter(
  findDisplayName: MemberDirectory['findDisplayName'],
): (run: Run) => Promise<FormatPerson> {
  return async ({ actor, approval, result }) => {
    const decidedBy = result?.kind === 'problem' ? result.problem.decidedBy : undefined;
    const people = [actor.userId, approval?.approverId, decidedBy].flatMap((userId) => userId ?? []);
    const nameEntries = people.map(
      async (userId) => [userId, await findDisplayName(actor.teamId, userId)] as const,
    );
    const names = new Map(await Promise.all(nameEntries));
    return (userId) => `@${names.get(userId) ?? userId}`;
  };
}

export function createMentionResolver({
  findDisplayName,
}: Pick<MemberDirectory, 'findDisplayName'>): ResolveMentions {
  return async (outcome, teamId) => {
    const nameEntries = async (value: Value): Promise<Value> => {
      if (typeof value === 'string') return value;
      if (value.kind === 'person') return `@${await findDisplayName(teamId, value.person)}`;
      return value.kind === 'userGroup' ? `@${await findDisplayName(teamId, value.userGroup)}` : value;
    };
    const namedRow = (row: readonly Value[]) => Promise.all(row.map(nameEntries));
    const namedFact = async ({ label, value }: Fact) => ({ label, value: await nameEntries(value) });
    const { facts, table } = outcome;
    return {
      ...outcome,
      ...(facts && { facts: await Promise.all(facts.map(namedFact)) }),
      ...(table && { table: { ...table, rows: await Promise.all(table.rows.map(namedRow)) } }),
    };
  };
}
