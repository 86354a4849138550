import { allOperations } from '../../../src/operations/all.ts';
import { createCatalogue } from '../../../src/operations/catalogue.ts';
import { defineOwn } from '../../../src/operations/operation.ts';
import { includesRight, type Right } from '../../../src/operations/right.ts';
import type { Reach } from '../../../src/operations/runs/access.ts';
import type { RecordedRun } from '../../../src/workspaces/record/recorded-run.ts';

const connect = defineOwn({
  name: 'connect',
  heading: 'Connect',
  summary: 'Connect this workspace',
  arguments: {},
  button: 'Connect',
  right: 'administer',
  run: async () => ({ title: 'Connected' }),
});

/** Everything that a person can do, with an operation of those that take administering. */
export const catalogue = createCatalogue([
  ...allOperations().groups,
  { heading: 'Team', operations: [connect] },
]);

/** A run on record: a reboot of VPS-10001 that is done, unless said otherwise. */
export function recorded(more: Partial<RecordedRun> & { readonly userId?: string } = {}): RecordedRun {
  const { userId = 'U0ALICE', ...run } = more;
  return {
    id: 'run-1',
    asker: { teamId: 'T0ACME', userId },
    operation: 'reboot',
    input: { vps: 'VPS-10001' },
    target: 'VPS-10001',
    origin: { channel: 'C0OPS' },
    status: 'done',
    wantedApproval: false,
    approvedBy: null,
    declinedBy: null,
    errorCode: null,
    said: 'VPS-10001 is rebooting',
    requestedMs: 1_000,
    queuedMs: 1_500,
    sentMs: 2_000,
    settledMs: 4_000,
    ...run,
  };
}

/** The reach of somebody who holds a right on all VPS, or on those that are named. */
export function reachOf(held: Right | undefined, vps?: readonly string[]): Reach {
  return (need) => {
    const isHeld = held !== undefined && includesRight(held, need.right);
    const isOnThese =
      vps === undefined || (need.vps.length > 0 && need.vps.every((name) => vps.includes(name)));
    return isHeld && isOnThese ? undefined : { what: 'You may not.', next: 'Ask.' };
  };
}
