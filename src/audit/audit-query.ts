import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/engines/database.ts';
import type { KindQuery } from './entry-kind.ts';

/** A position between entries. The ID is needed because times aren't unique. */
export interface AuditCursor {
  readonly requestedMs: number;
  readonly id: string;
}

export interface AuditQuery {
  readonly teamId: string;
  /** Only this person's runs. */
  readonly userId?: string;
  readonly sinceMs?: number;
  /** Only runs requested at or before this time. */
  readonly untilMs?: number;
  /** Only runs that can be about this VPS. */
  readonly vps?: VpsQuery;
  /** Only runs that can be of this kind. */
  readonly kind?: KindQuery | undefined;
  /** Only runs that can be unsuccessful. */
  readonly isUnsuccessful?: boolean;
  /** Only runs whose action, as `formatAction` returns it, can contain this text. */
  readonly text?: string;
}

/** Finds the runs that can be about a VPS: by their target, or by their operation. */
export interface VpsQuery {
  readonly vps: string;
  /** Operations on VPS. If their input is incomplete, they have no target. */
  readonly operations: readonly string[];
  /** The operations among them that have another target than their VPS, such as a load balancer. */
  readonly withOtherTarget: readonly string[];
}

/**
 * The conditions of one query. Together, they select the runs in the order of an index, so that the
 * database reads no more of them than fit on a page.
 */
export interface RunSelection {
  readonly conditions: readonly RawBuilder<boolean>[];
  /** Whether only few runs match, so that sorting them is faster than walking an index on the time. */
  readonly matchesFew?: boolean;
  /** Whether the conditions match fewer runs than a person has, so that their indexes are better. */
  readonly isNarrow?: boolean;
}

// The values in these conditions are literals, because databases don't use a partial index for bound
// parameters. The conditions are those of the indexes on `run`.

/** Leaves out typos, and runs that their actor cancelled. */
const canBeUnsuccessful = sql<boolean>`(status in ('refused', 'failed', 'unknown', 'expired')
  and coalesce(error_code, '') <> 'input_invalid'
  and (coalesce(error_code, '') <> 'not_found' or sent_at is not null)
  and (coalesce(error_code, '') <> 'cancelled' or outcome like '%"decidedBy":%'))`;

/** The target in the index on operations: an empty text if the run has none. */
const targetOrNone = sql`coalesce(target, '')`;

const isDenied = sql<boolean>`error_code = 'not_permitted'`;

/**
 * Selects exports of the activity log and changes of its subscription. With a condition on the
 * operation, SQLite would use the index on operations.
 */
const changesLog = sql<boolean>`(input like '%"export":%' or input like '%"to":%')`;

/**
 * Returns selections that together find the matching runs. Two of them can find the same run. One
 * query with `or` couldn't use the indexes.
 */
export async function listSelections(db: Database, query: AuditQuery): Promise<readonly RunSelection[]> {
  const { vps, kind, isUnsuccessful } = query;
  if (!kind && !isUnsuccessful && !vps) return [{ conditions: [] }];
  const used = await listOperations(db, query);
  const operations = used.filter((operation) => kind?.includes(operation) ?? true);
  if (!kind && !isUnsuccessful && vps) return selectVps(vps, [], operations);
  const selections = [
    ...operations.flatMap((operation) => {
      const isOfOperation = sql<boolean>`operation = ${operation}`;
      return vps ? selectVps(vps, [isOfOperation], [operation]) : [{ conditions: [isOfOperation] }];
    }),
    ...(kind?.includesDenied
      ? [{ conditions: vps ? [isDenied, canNameVps(vps)] : [isDenied], isNarrow: true }]
      : []),
    ...(kind?.includesLogChanges && !vps ? [{ conditions: [changesLog], isNarrow: true }] : []),
  ];
  if (!isUnsuccessful) return selections;
  return selections.map(({ conditions, ...selection }) => ({
    ...selection,
    conditions: [...conditions, canBeUnsuccessful],
    isNarrow: true,
  }));
}

/**
 * Selects the runs whose columns contain each word of a text. Databases fold only ASCII letters in
 * the same way, so other letters end a word.
 */
export function containsWords(text: string): RawBuilder<boolean> {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const conditions = words
    // `formatAction` adds this word.
    .filter((word) => !'reason'.includes(word))
    .map((word) => sql`${textColumns} like ${`%${word}%`}`);
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;
}

/** The columns from which `formatAction` takes its words. */
const textColumns = sql`lower(run.operation || ' ' || coalesce(run.title, run.target, '') || ' '
  || coalesce(run.display_names, '') || ' ' || run.input)`;

/** Selects the runs of the operations in `among` that can be about a VPS. */
function selectVps(
  { vps, operations, withOtherTarget }: VpsQuery,
  conditions: readonly RawBuilder<boolean>[],
  among: readonly string[],
): readonly RunSelection[] {
  const withoutTarget = among.filter((operation) => operations.includes(operation));
  const others = among.filter((operation) => withOtherTarget.includes(operation));
  const ofVps =
    conditions.length === 0 ? sql<boolean>`target = ${vps}` : sql<boolean>`${targetOrNone} = ${vps}`;
  return [
    { conditions: [...conditions, ofVps], isNarrow: true },
    ...withoutTarget.map((operation) => ({
      conditions: [sql<boolean>`operation = ${operation}`, sql<boolean>`${targetOrNone} = ''`],
      isNarrow: true,
    })),
    ...others.map((operation) => ({
      conditions: [sql<boolean>`operation = ${operation}`, sql<boolean>`${targetOrNone} <> ${vps}`],
      matchesFew: true,
      isNarrow: true,
    })),
  ];
}

function canNameVps({ vps, withOtherTarget }: VpsQuery): RawBuilder<boolean> {
  const others = withOtherTarget.map((operation) => sql` or operation = ${operation}`);
  return sql`(target = ${vps} or target is null${sql.join(others, sql``)})`;
}

/** Lists the operations of the runs, by one search in an index for each of them. */
async function listOperations(
  db: Database,
  { teamId, userId, isUnsuccessful }: AuditQuery,
): Promise<readonly string[]> {
  const conditions = [
    sql`team_id = ${teamId}`,
    ...(userId === undefined ? [] : [sql`user_id = ${userId}`]),
    // Runs of a person are found by another index.
    ...(isUnsuccessful && userId === undefined ? [canBeUnsuccessful] : []),
  ];
  const among = sql.join(conditions, sql` and `);
  const { rows } = await sql<{ operation: string }>`
    with recursive used (operation) as (
      select min(operation) from run where ${among}
      union all
      select (select min(run.operation) from run where ${among} and run.operation > used.operation)
      from used where used.operation is not null
    )
    select operation from used where operation is not null`.execute(db);
  return rows.map(({ operation }) => operation);
}
