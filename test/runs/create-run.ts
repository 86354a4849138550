import type { Run } from '../../src/runs/run.ts';

/** Fields of a run. They must fit its state. */
export type RunFields = { readonly [Field in keyof Run]: Run[Field] };

/** Creates a stored run. By default, it is Alice's finished reboot of VPS-10001. */
export function createRun(overrides: Partial<RunFields> = {}): Run {
  const run: RunFields = {
    id: 'run-1',
    actor: { teamId: 'T0ACME', userId: 'U0ALICE' },
    operation: 'reboot',
    input: { vps: 'VPS-10001' },
    title: 'Reboot VPS-10001',
    target: 'VPS-10001',
    origin: {},
    status: 'done',
    confirmedState: { kind: 'unconfirmed' },
    expiresMs: null,
    approval: null,
    result: null,
    progress: null,
    requestedMs: 0,
    queuedMs: 0,
    settledMs: 0,
    unreadableColumns: [],
    ...overrides,
  };
  return run as Run;
}
