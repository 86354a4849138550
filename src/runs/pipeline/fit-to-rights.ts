import { createStepCheck, keepPermittedSteps } from '../../operations/define/access/permitted-steps.ts';
import { findRequiredAccess } from '../../operations/define/access/required-access.ts';
import type { ParsedInput } from '../../operations/define/arguments/input.ts';
import type { Operation } from '../../operations/define/operation.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import type { Run } from '../run.ts';
import type { RunRules, StoredRuns } from './run-services.ts';

interface Asked {
  readonly run: Run;
  readonly operation: Operation;
  readonly parsed: ParsedInput;
}

/**
 * Limits an outcome to the rights of the person who asked. Leaves out buttons that would be refused. In a
 * read, replaces secrets that the person can't reveal with a button to request access. A change keeps its
 * secrets, because they can't be read again; its Show Once button checks the right.
 */
export async function fitToRights(
  outcome: Outcome,
  { run, operation, parsed }: Asked,
  { catalogue, resolveAccess }: StoredRuns & RunRules,
): Promise<Outcome> {
  const checkAccess = await resolveAccess(run.actor, run.origin);
  const fitted = keepPermittedSteps(outcome, createStepCheck(catalogue, checkAccess));
  const { secrets = [], ...others } = fitted;
  if (secrets.length === 0 || operation.kind === 'change') return fitted;
  const { vps = [] } = findRequiredAccess(operation, parsed) ?? {};
  const denial = checkAccess({ right: 'reveal', vps });
  if (!denial) return fitted;
  const labels = secrets.map(({ label }) => label).join(', ');
  return {
    ...others,
    notes: [...(others.notes ?? []), `🔒 ${labels}: hidden. ${denial.message}`],
    next: [...(denial.nextSteps ?? []), ...(others.next ?? [])],
  };
}
