import { RackhandError } from '../../errors.ts';
import { parseInput } from '../../operations/define/arguments/input.ts';
import type { RawInput } from '../../operations/define/arguments/raw-input.ts';
import type { ChangeOperation } from '../../operations/define/operation.ts';
import type { DisplayNames, Progress } from '../../operations/define/target-state.ts';
import { claim, createTitle } from '../pipeline/claim.ts';
import { toSendDeadline } from '../pipeline/in-time.ts';
import type { ChangeRun } from '../pipeline/run-context.ts';
import { refuse } from '../pipeline/run-ends.ts';
import type { RunServices } from '../pipeline/run-services.ts';
import { type Next, next } from '../pipeline/step.ts';
import { toProblem } from '../problem.ts';
import type { Run, RunSettlement, WaitingRun } from '../run.ts';

export interface Part {
  /** Unique to the part, so that the part has only one run. */
  readonly requestKey: string;
  readonly operation: ChangeOperation;
  readonly raw: RawInput;
  readonly displayNames: DisplayNames | undefined;
  /** Returns how the target differs from the confirmed state, or undefined if it doesn't. */
  readonly findDifference?: (change: ChangeRun) => Promise<string | undefined>;
}

export interface PartRun extends ChangeRun<WaitingRun> {
  readonly part: Part;
}

export async function claimPart(
  { run: parent }: ChangeRun,
  part: Part,
  startByMs: number,
  services: RunServices,
): Promise<Next<PartRun>> {
  const { id: batchId, actor, origin, approval } = parent;
  const { requestKey, operation, raw, displayNames } = part;
  const parsed = parseInput(operation, raw);
  if (parsed.kind === 'invalid')
    throw new Error('the input of a run no longer fits the operation of its part');
  const claimed = await claim({ requestKey, operation, parsed, actor, origin, batchId }, services);
  if (claimed.kind === 'end') return claimed;
  const { run: created } = claimed.context;
  if (created.status !== 'waiting') throw new Error('a change waits until it was checked');
  const known = {
    input: parsed.raw,
    target: operation.target(parsed.input),
    title: createTitle(operation, parsed, displayNames),
    ...(displayNames && { displayNames }),
  };
  await services.runs.saveResolvedInput(created.id, known, services.owner);
  return next({
    ...claimed.context,
    run: { ...created, ...known },
    operation,
    parsed,
    part,
    sendByMs: Math.min(startByMs, toSendDeadline(services.now())),
    // A part of an approved run counts as approved.
    ...(approval?.approverId && { approverId: approval.approverId }),
  });
}

/** Refuses the part if its target is no longer in the confirmed state. */
export async function compareConfirmedPart(part: PartRun, services: RunServices): Promise<Next<PartRun>> {
  const difference = await part.part.findDifference?.(part);
  if (difference === undefined) return next(part);
  const error = new RackhandError('target_changed', difference);
  return refuse(part.run, toProblem(error, { isChanging: false }), services);
}

type NextParts =
  /** Starts the parts in `start`, and plans again when any part changes. */
  | { readonly kind: 'goOn'; readonly start: readonly Part[]; readonly progress: Progress }
  | { readonly kind: 'end'; readonly end: RunSettlement; readonly progress: Progress | null };

/** Decides on a run's next action. `starting` has the request keys of parts that are being started. */
export type PlanParts = (parent: Run, parts: readonly Run[], starting: ReadonlySet<string>) => NextParts;
