import { randomUUID } from 'node:crypto';
import { parseInput, targetOf } from '../input.ts';
import { asksFirst, type Operation } from '../operation.ts';
import type { RawInput } from '../outcome.ts';
import type { Answer } from './answer.ts';
import type { Approval } from './approval.ts';
import { type CheckedInput, checkInput } from './checked-input.ts';
import { type ConfirmationStep, waitingMs } from './confirmation.ts';
import { requirePermissions } from './held-permissions.ts';
import type { Asker, Origin, Run } from './run.ts';
import type { Lease } from './run-leases.ts';
import type { RunStore } from './run-store.ts';
import { type SecretKeeper, withoutSecrets } from './secret-keeper.ts';
import type { Settle } from './settling.ts';
import type { Meanwhile, Steps } from './steps.ts';

export interface RunRequest extends Meanwhile {
  /** Unique to what was asked: whatever arrives again with it is a duplicate. */
  readonly requestKey: string;
  readonly operation: Operation;
  readonly raw: RawInput;
  readonly asker: Asker;
  readonly origin: Origin;
}

type Refined = Extract<CheckedInput, { ok: true }>;

interface IntakeParts {
  readonly runs: RunStore;
  readonly steps: Steps;
  readonly confirmation: Pick<ConfirmationStep, 'ask'>;
  readonly approval: Pick<Approval, 'release'>;
  readonly secrets: SecretKeeper;
  readonly settle: Settle;
  readonly lease: () => Lease;
  readonly now: () => number;
}

/** Takes in what is asked: claims it, checks who asks and what, and answers it or asks back. */
export type Intake = (request: RunRequest) => Promise<Answer>;

/** Creates what takes in what is asked. */
export function createIntake(parts: IntakeParts): Intake {
  const { runs, steps, confirmation, approval, secrets, settle, lease, now } = parts;

  async function proceed(claimed: Run, request: RunRequest, onBegin: () => void): Promise<Answer> {
    const { operation, raw } = request;
    const { id: runId, asker } = claimed;
    const refused = await steps.refusalOf(claimed, operation, raw);
    if (refused) return steps.end(claimed, 'refused', refused);
    const bench = steps.benchFor(claimed, request);
    await requirePermissions(operation, bench.context.read);
    const checked = await checkInput(operation, raw, bench.context);
    if (!checked.ok) return steps.end(claimed, 'refused', checked.problem);
    const { input } = checked;
    const run = await refine(claimed, operation, checked);
    // What was called by another name may be what this person has no right to.
    const refusedByName = run === claimed ? undefined : await steps.refusalOf(run, operation, run.input);
    if (refusedByName) return steps.end(run, 'refused', refusedByName);
    if (operation.kind === 'change') {
      const change = { run, operation, input, ...bench };
      return asksFirst(operation, input) ? confirmation.ask(change, false) : approval.release(change);
    }
    onBegin();
    const told = await withoutSecrets(await operation.run(bench.context, input), secrets, { runId, asker });
    // A picture is told of once, and is not looked up again.
    const { chart: _, ...outcome } = told;
    // What was given up as unknown may still have been done.
    await settle(run, ['queued', 'unknown'], { status: 'done', result: { kind: 'outcome', outcome } });
    return { kind: 'outcome', runId, outcome: told };
  }

  /** Keeps an input whose names have become identifiers, and what people call these. */
  async function refine(run: Run, operation: Operation, { raw, called }: Refined): Promise<Run> {
    if (raw === run.input && !called) return run;
    const target = targetOf(operation, parseInput(operation, raw));
    await runs.refine(run.id, { raw, target, ...(called && { called }) });
    return { ...run, input: raw, target, ...(called && { called }) };
  }

  return async (request) => {
    const run = newRun(request, now());
    if (!(await runs.claim(run, request.requestKey, lease()))) return { kind: 'duplicate' };
    let isBegun = false;
    const work = () =>
      proceed(run, request, () => {
        isBegun = true;
      });
    return steps.answer(run, work, () => isBegun && request.operation.kind === 'own');
  };
}

function newRun({ operation, raw, asker, origin }: RunRequest, nowMs: number): Run {
  const isChange = operation.kind === 'change';
  return {
    id: randomUUID(),
    asker,
    operation: operation.name,
    input: raw,
    target: targetOf(operation, parseInput(operation, raw)),
    origin,
    // What changes something only waits until it has been checked and confirmed.
    status: isChange ? 'waiting' : 'queued',
    shown: null,
    askedAgainMs: null,
    notAfterMs: nowMs + longestMsOf(operation),
    approval: null,
    message: null,
    result: null,
    progress: null,
    requestedMs: nowMs,
    queuedMs: isChange ? null : nowMs,
    settledMs: null,
  };
}

/** Gives how long a run may take until its answer. */
function longestMsOf(operation: Operation): number {
  return (operation.kind === 'read' ? operation.longestMs : undefined) ?? waitingMs;
}
