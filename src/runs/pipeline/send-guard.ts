import type { ResolveAccess } from '../../operations/define/access.ts';
import type { ChangeOperation } from '../../operations/define/operation.ts';
import { findRequiredAccess } from '../../operations/define/required-access.ts';
import { deniedProblem, type Problem } from '../problem.ts';
import type { Run } from '../run.ts';
import type { FindApprovalRule } from './find-approval-rule.ts';

interface SendGuardDependencies {
  readonly resolveAccess: ResolveAccess;
  readonly findApprovalRule: FindApprovalRule;
}

/** Throws `SendDeniedError` if a queued run isn't allowed anymore. */
export type AssertSendable = (run: Run, operation: ChangeOperation) => Promise<void>;

/** A queued run is no longer allowed. Nothing was sent. */
export class SendDeniedError extends Error {
  override readonly name = 'SendDeniedError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/**
 * Creates a function that checks a queued run right before its call is sent. A run can wait for
 * minutes, in which its actor can lose the right or leave the workspace, or an admin can add a rule
 * that requires approval.
 */
export function createSendGuard({ resolveAccess, findApprovalRule }: SendGuardDependencies): AssertSendable {
  return async (run, operation) => {
    const required = findRequiredAccess(operation, run.input);
    const denial = required && (await resolveAccess(run.actor, run.origin))(required);
    if (denial) throw new SendDeniedError(deniedProblem(denial));
    const isApproved = run.approval !== null && run.approval.approverId !== null;
    if (!isApproved && (await findApprovalRule(run, operation))) {
      const message = 'A new rule requires approval for this. It was added while the request was queued.';
      throw new SendDeniedError(
        deniedProblem({ message, advice: 'Run the command again to ask for approval.' }),
      );
    }
  };
}
