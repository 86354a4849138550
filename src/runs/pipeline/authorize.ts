import type { ResolveAccess } from '../../operations/define/access/access.ts';
import { findRequiredAccess } from '../../operations/define/access/required-access.ts';
import type { ParsedInput } from '../../operations/define/arguments/input.ts';
import type { Operation, OperationContext } from '../../operations/define/operation.ts';
import { toVpsLabels } from '../../operations/format/label-vps.ts';
import { deniedProblem, type Problem } from '../problem.ts';
import type { Run } from '../run.ts';
import { labelProblem, labelUnresolvedProblem } from './names/label-shown-vps.ts';
import type { ClaimedRun } from './run-context.ts';
import { refuse } from './run-ends.ts';
import type { RunRecords, RunRules, StoredRuns } from './run-services.ts';
import { type Next, next } from './step.ts';

/** Refuses the run if its actor isn't allowed to run the operation here. */
export async function authorize<
  Context extends Pick<ClaimedRun, 'run' | 'operation' | 'parsed' | 'operationContext'>,
>(context: Context, services: RunRecords & RunRules & StoredRuns): Promise<Next<Context>> {
  const { run, operation, parsed, operationContext } = context;
  const denial = await findDenial(services.resolveAccess, run, operation, parsed);
  if (!denial || (await isOpenToActor(operation, operationContext, parsed))) return next(context);
  return refuse(run, await labelUnresolvedProblem(denial, operationContext), services);
}

async function isOpenToActor(
  operation: Operation,
  context: OperationContext,
  { validFields }: ParsedInput,
): Promise<boolean> {
  return operation.kind === 'local' && (await operation.isOpenTo?.(context, validFields)) === true;
}

/** Fails a change at once while the hosting service isn't answering. */
export async function requireAnsweringService<Context extends Pick<ClaimedRun, 'operation'>>(
  context: Context,
  { assertServiceAnswers }: RunRules,
): Promise<Next<Context>> {
  if (context.operation.kind === 'change') assertServiceAnswers();
  return next(context);
}

/** Who made a request, and where. Rights can depend on both. */
export type AccessSubject = Pick<Run, 'actor' | 'origin' | 'displayNames'>;

/** Returns why a person isn't allowed to run an operation, or undefined if they are. The input can be incomplete. */
export type FindDenial = (
  by: AccessSubject,
  operation: Operation,
  parsed: ParsedInput,
) => Promise<Problem | undefined>;

export async function findDenial(
  resolveAccess: ResolveAccess,
  { actor, origin, displayNames }: AccessSubject,
  operation: Operation,
  parsed: ParsedInput,
): Promise<Problem | undefined> {
  const required = findRequiredAccess(operation, parsed);
  const denial = required && (await resolveAccess(actor, origin))(required);
  return denial && labelProblem(deniedProblem(denial), toVpsLabels(displayNames));
}
