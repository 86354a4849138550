import type { CheckAccess } from '../operations/define/access/access.ts';
import type { Actor } from '../operations/define/access/actor.ts';
import { listVpsNames, parseInput } from '../operations/define/arguments/input.ts';
import { requiredRight } from '../operations/define/inspect-operation.ts';
import type { Catalogue } from '../operations/define/operation.ts';
import type { AuditEntry } from './audit-entry.ts';

export type AuditFilter = (entry: AuditEntry) => boolean;

/**
 * Creates a filter for the entries that an actor is allowed to see. Admins see all entries. Other people
 * see their own runs and the runs on VPS that they can view, except runs that need the *admin* right and
 * runs whose VPS can't be read.
 */
export function createAuditVisibility(
  { userId }: Actor,
  checkAccess: CheckAccess,
  catalogue: Catalogue,
): AuditFilter {
  const seesAll = checkAccess({ right: 'admin', vps: [] }) === undefined;
  const decided = new Map<string, boolean>();

  function canView(vps: readonly string[]): boolean {
    const key = vps.join();
    const known = decided.get(key) ?? checkAccess({ right: 'view', vps }) === undefined;
    decided.set(key, known);
    return known;
  }

  return (run) => {
    if (seesAll || run.actor.userId === userId) return true;
    const operation = catalogue.find(run.operation);
    if (!operation || run.isUnreadable) return false;
    const { validFields } = parseInput(operation, run.input);
    if (requiredRight(operation, validFields) === 'admin') return false;
    return canView(listVpsNames(operation.arguments, validFields));
  };
}

/** Creates a filter for entries whose target is a VPS, or whose input names it. */
export function createVpsFilter(vps: string, catalogue: Catalogue): AuditFilter {
  return (run) => {
    if (run.target === vps) return true;
    const operation = catalogue.find(run.operation);
    return (
      operation !== undefined &&
      listVpsNames(operation.arguments, parseInput(operation, run.input).validFields).includes(vps)
    );
  };
}
