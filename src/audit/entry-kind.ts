import { parseInput } from '../operations/define/arguments/input.ts';
import { requiredRight } from '../operations/define/inspect-operation.ts';
import type { Catalogue } from '../operations/define/operation.ts';
import type { AuditEntry } from './audit-entry.ts';

/**
 * The subject of an entry: a change to the fleet, a read, or a change to Rackhand itself, such as
 * a right, an API key or a report.
 */
export const entryKinds = ['changes', 'reads', 'settings'] as const;

export type EntryKind = (typeof entryKinds)[number];

/** The values of the filter by kind. */
export const kindFilters = [...entryKinds, 'all'] as const;

export type KindFilter = (typeof kindFilters)[number];

export function findEntryKind(run: Pick<AuditEntry, 'operation' | 'input'>, catalogue: Catalogue): EntryKind {
  const operation = catalogue.find(run.operation);
  // An entry without an operation is an event, such as an installation.
  if (!operation) return 'settings';
  if (operation.kind === 'change') return 'changes';
  if (operation.kind === 'read') return 'reads';
  const { validFields } = parseInput(operation, run.input);
  if (operation.isLoggedAsChange?.(validFields)) return 'settings';
  const right = requiredRight(operation, validFields);
  return right === null || right === 'view' ? 'reads' : 'settings';
}

/** Finds the runs that can be of a kind. */
export interface KindQuery {
  /** Returns whether runs of an operation with this name are of the kind. */
  readonly includes: (operation: string) => boolean;
  /** Whether denied runs of all operations are found too. */
  readonly includesDenied: boolean;
  /** Whether runs that export the activity log, or change its subscription, are found too. */
  readonly includesLogChanges: boolean;
}

/**
 * Returns a query that finds all entries that {@link createKindFilter} keeps, and some others.
 * Returns undefined if it keeps all entries.
 */
export function toKindQuery(kind: KindFilter | undefined, catalogue: Catalogue): KindQuery | undefined {
  if (kind === 'all') return undefined;
  const isOfKind = createKindFilter(kind, catalogue);
  return {
    includes: (operation) => isOfKind({ operation, input: {}, errorCode: null }),
    includesDenied: kind === undefined,
    includesLogChanges: kind === undefined || kind === 'settings',
  };
}

/** Keeps entries of a kind. Without a filter, keeps everything except reads that were allowed. */
export function createKindFilter(
  kind: KindFilter | undefined,
  catalogue: Catalogue,
): (run: Pick<AuditEntry, 'operation' | 'input' | 'errorCode'>) => boolean {
  if (kind === 'all') return () => true;
  if (kind !== undefined) return (run) => findEntryKind(run, catalogue) === kind;
  return (run) => run.errorCode === 'not_permitted' || findEntryKind(run, catalogue) !== 'reads';
}
