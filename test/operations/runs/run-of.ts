import type { Run } from '../../../src/operations/runs/run.ts';

/** A run as a store gives it: a reboot of VPS-10001 that Alice asked for and that is over, unless said otherwise. */
export function runOf(over: Partial<Run> = {}): Run {
  return {
    id: 'run-1',
    asker: { teamId: 'T0ACME', userId: 'U0ALICE' },
    operation: 'reboot',
    input: { vps: 'VPS-10001' },
    target: 'VPS-10001',
    origin: {},
    status: 'done',
    shown: null,
    askedAgainMs: null,
    notAfterMs: null,
    approval: null,
    message: null,
    result: null,
    progress: null,
    requestedMs: 0,
    queuedMs: 0,
    settledMs: 0,
    ...over,
  };
}
