import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '../db/schema/schema.ts';
import { type LogKind, logKinds } from '../runs/log-kind.ts';
import { unsuccessfulStatuses } from './audit-entry.ts';

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
  /** Only runs of these kinds. */
  readonly kinds?: readonly LogKind[] | undefined;
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
 * The conditions of one query. The database can read the runs of each in the order of an index, so that
 * it reads no more of them than fit on a page.
 */
export type RunSelection = readonly Expression<SqlBool>[];

const run = expressionBuilder<Schema, 'run'>();

/**
 * Returns selections that together find the matching runs. Two of them can find the same run. One
 * query with `or` couldn't use the indexes.
 */
export function listSelections({ userId, vps, kinds, isUnsuccessful }: AuditQuery): readonly RunSelection[] {
  const isOfKind = kinds && kinds.length < logKinds.length ? [run('log_kind', 'in', kinds)] : [];
  // Typos aren't failures.
  const isNoTypo = run.or([run('error_code', 'is', null), run('error_code', '!=', 'input_invalid')]);
  const isBad = isUnsuccessful ? [run('status', 'in', unsuccessfulStatuses), isNoTypo] : [];
  if (vps) return selectVps(vps).map((conditions) => [...conditions, ...isOfKind, ...isBad]);
  if (isUnsuccessful)
    return unsuccessfulStatuses.map((status) => [run('status', '=', status), isNoTypo, ...isOfKind]);
  if (userId !== undefined || !kinds || isOfKind.length === 0) return [isOfKind];
  return kinds.map((kind) => [run('log_kind', '=', kind)]);
}

/**
 * Selects the runs that can be about a VPS. A run without a target never went on, because its input
 * was incomplete.
 */
function selectVps({ vps, operations, withOtherTarget }: VpsQuery): readonly RunSelection[] {
  return [
    [run('target', '=', vps)],
    ...unsuccessfulStatuses.map((status) => [
      run('status', '=', status),
      run('target', 'is', null),
      run('operation', 'in', operations),
    ]),
    ...withOtherTarget.map((operation) => [run('operation', '=', operation)]),
  ];
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
