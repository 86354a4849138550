import { findDenial } from './pipeline/access.ts';
import { labelUnresolvedProblem } from './pipeline/names/label-shown-vps.ts';
import type { ClaimedRun } from './pipeline/run-context.ts';
import { refuse } from './pipeline/run-ends.ts';
import type { RunServices } from './pipeline/run-services.ts';
import { type Next, next } from './pipeline/step.ts';

/** Refuses the run if its actor isn't allowed to run the operation here. */
export async function authorize<
  Context extends Pick<ClaimedRun, 'run' | 'operation' | 'parsed' | 'operationContext'>,
>(context: Context, services: RunServices): Promise<Next<Context>> {
  const { run, operation, parsed, operationContext } = context;
  const denial = await findDenial(services.resolveAccess, run, operation, parsed);
  if (!denial) return next(context);
  return refuse(run, await labelUnresolvedProblem(denial, operationContext), services);
}

/** Fails a change at once while the hosting service doesn't answer. */
export async function requireAnsweringService<Context extends Pick<ClaimedRun, 'operation'>>(
  context: Context,
  { assertServiceAnswers }: RunServices,
): Promise<Next<Context>> {
  if (context.operation.kind === 'change') assertServiceAnswers();
  return next(context);
}
