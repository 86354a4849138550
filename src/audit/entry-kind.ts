import { parseInput } from '../operations/define/arguments/input.ts';
import { requiredRight } from '../operations/define/inspect-operation.ts';
import type { Catalogue } from '../operations/define/operation.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { AuditFilter } from './audit-visibility.ts';

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
  const right = requiredRight(operation, parseInput(operation, run.input).validFields);
  return right === null || right === 'view' ? 'reads' : 'settings';
}

/** Keeps entries of a kind. Without a filter, keeps everything except reads that were allowed. */
export function createKindFilter(kind: KindFilter | undefined, catalogue: Catalogue): AuditFilter {
  if (kind === 'all') return () => true;
  if (kind !== undefined) return (run) => findEntryKind(run, catalogue) === kind;
  return (run) => run.errorCode === 'not_permitted' || findEntryKind(run, catalogue) !== 'reads';
}
