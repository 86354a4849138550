import type { Fact, ToldOutcome, Value } from '../operations/outcome.ts';
import type { Run } from '../operations/runs/run.ts';
import type { Directory } from '../workspaces/rights/directory.ts';

/** Writes the people and user groups of an outcome by their names: in a channel their ids would call them. */
export type WithNames = (outcome: ToldOutcome, teamId: string) => Promise<ToldOutcome>;

/** Writes a person of a run by their name, as text that calls nobody. */
export type PersonWords = (userId: string) => string;

/** Creates what knows the names of the people of a run: who asked, and who decided. */
export function createPeopleOf(nameOf: Directory['nameOf']): (run: Run) => Promise<PersonWords> {
  return async ({ asker, approval, result }) => {
    const decidedBy = result?.kind === 'problem' ? result.problem.by : undefined;
    const people = [asker.userId, approval?.approverId, decidedBy].flatMap((userId) => userId ?? []);
    const named = people.map(async (userId) => [userId, await nameOf(asker.teamId, userId)] as const);
    const names = new Map(await Promise.all(named));
    return (userId) => `@${names.get(userId) ?? userId}`;
  };
}

/** Creates what writes people and user groups by their names. */
export function createWithNames({ nameOf }: Pick<Directory, 'nameOf'>): WithNames {
  return async (outcome, teamId) => {
    const named = async (value: Value): Promise<Value> => {
      if (typeof value === 'string') return value;
      if ('person' in value) return `@${await nameOf(teamId, value.person)}`;
      return 'userGroup' in value ? `@${await nameOf(teamId, value.userGroup)}` : value;
    };
    const namedRow = (row: readonly Value[]) => Promise.all(row.map(named));
    const namedFact = async ({ label, value }: Fact) => ({ label, value: await named(value) });
    const { facts, table } = outcome;
    return {
      ...outcome,
      ...(facts && { facts: await Promise.all(facts.map(namedFact)) }),
      ...(table && { table: { ...table, rows: await Promise.all(table.rows.map(namedRow)) } }),
    };
  };
}
