import type { AuditEntry } from '../../src/audit/audit-entry.ts';
import type { CheckAccess } from '../../src/operations/define/access/access.ts';
import { includesRight, type Right } from '../../src/operations/define/access/right.ts';
import { parseInput } from '../../src/operations/define/arguments/input.ts';
import { createCatalogue } from '../../src/operations/define/catalogue.ts';
import { defineLocal } from '../../src/operations/define/define-operation.ts';
import { hostingOperations } from '../../src/operations/hosting-operations.ts';
import { findLogKind, type LogKind } from '../../src/runs/log-kind.ts';

const connect = defineLocal({
  name: 'connect',
  heading: 'Connect',
  summary: 'Connect this workspace',
  arguments: {},
  button: 'Connect',
  right: 'admin',
  run: async () => ({ title: 'Connected' }),
});

/** The hosting operations, plus one that needs the right *admin*. */
export const catalogue = createCatalogue([
  ...hostingOperations().groups,
  { heading: 'Team', operations: [connect] },
]);

/** Creates the entry of a successful reboot of VPS-10001, with overrides. */
export function createAuditEntry(
  overrides: Partial<AuditEntry> & { readonly userId?: string } = {},
): AuditEntry {
  const { userId = 'U0ALICE', ...run } = overrides;
  return {
    id: 'run-1',
    actor: { teamId: 'T0ACME', userId },
    operation: 'reboot',
    logKind: toLogKind(run.operation ?? 'reboot'),
    input: { vps: 'VPS-10001' },
    title: 'Reboot VPS-10001',
    target: 'VPS-10001',
    origin: { channel: 'C0OPS' },
    status: 'done',
    requiredApproval: false,
    approvedBy: null,
    declinedBy: null,
    errorCode: null,
    summary: 'VPS-10001 is rebooting',
    requestedMs: 1_000,
    queuedMs: 1_500,
    sentMs: 2_000,
    settledMs: 4_000,
    workEndedMs: run.settledMs === undefined ? 4_000 : run.settledMs,
    ...run,
  };
}

function toLogKind(name: string): LogKind {
  const operation = catalogue.find(name);
  return operation ? findLogKind(operation, parseInput(operation, {})) : 'settings';
}

/** Creates the access of a person who has a right on all VPS, or only on the named ones. */
export function createCheckAccess(held: Right | undefined, vps?: readonly string[]): CheckAccess {
  return (required) => {
    const isHeld = held !== undefined && includesRight(held, required.right);
    const isCovered =
      vps === undefined || (required.vps.length > 0 && required.vps.every((name) => vps.includes(name)));
    return isHeld && isCovered ? undefined : { message: "You don't have permission.", advice: 'Ask.' };
  };
}
