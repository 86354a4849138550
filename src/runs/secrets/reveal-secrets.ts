import { RackhandError } from '../../errors.ts';
import type { RequiredAccess, ResolveAccess } from '../../operations/define/access/access.ts';
import type { Actor, Origin } from '../../operations/define/access/actor.ts';
import { findRequiredAccess } from '../../operations/define/access/required-access.ts';
import { parseInput } from '../../operations/define/arguments/input.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import { createVpsLabeler, toVpsLabels } from '../../operations/format/label-vps.ts';
import { labelProblem } from '../pipeline/names/label-shown-vps.ts';
import { deniedProblem, type Problem, toProblem } from '../problem.ts';
import type { Run } from '../run.ts';
import type { RunStore } from '../store/run-store.ts';
import type { RevealedSecrets, SecretStore } from './secret-store.ts';

export type RevealResult =
  | {
      readonly kind: 'revealed';
      readonly revealed: RevealedSecrets;
      /** The run that returned the secrets. Undefined if the run was deleted. */
      readonly run: Run | undefined;
    }
  /** No secrets are left that this person can see. */
  | { readonly kind: 'gone' }
  /** Only someone else can see the secrets. */
  | { readonly kind: 'others'; readonly ownerId: string }
  /** The secrets couldn't be shown and are still stored. */
  | { readonly kind: 'problem'; readonly problem: Problem };

/** Reveals one-time secrets to a person who is allowed to see them, deletes them, and logs the reveal. */
export type RevealSecrets = (id: string, by: { actor: Actor; origin: Origin }) => Promise<RevealResult>;

export interface RevealRequest {
  readonly actor: Actor;
  readonly secretId: string;
  readonly title: string;
  /** The VPS of the run that returned the secret. Empty if the run was about all VPS. */
  readonly vps: readonly string[];
  readonly expiresMs: number;
}

/** Returns why a secret can't be shown yet, if a second person must approve the reveal first. */
export type CheckRevealApproval = (request: RevealRequest) => Promise<Problem | undefined>;

interface RevealDependencies {
  readonly secrets: Pick<SecretStore, 'find' | 'findOwner' | 'reveal'>;
  readonly runs: Pick<RunStore, 'find' | 'addAuditEntry'>;
  readonly catalogue: Catalogue;
  readonly resolveAccess: ResolveAccess;
  readonly checkApproval: CheckRevealApproval;
  readonly now?: () => number;
}

export function createRevealSecrets(dependencies: RevealDependencies): RevealSecrets {
  const { secrets, runs, catalogue, resolveAccess, checkApproval, now = Date.now } = dependencies;

  /** Returns the access that the run required, and the right to reveal secrets on the same VPS. */
  function listRequiredAccess(run: Run | undefined): readonly RequiredAccess[] {
    const operation = run && catalogue.find(run.operation);
    const required = operation && findRequiredAccess(operation, parseInput(operation, run.input));
    const reveal = { right: 'reveal', vps: required?.vps ?? [] } as const;
    return required ? [required, reveal] : [reveal];
  }

  return async (id, { actor, origin }) => {
    const stored = await secrets.find(id, actor);
    if (!stored) {
      const problem = toProblem(
        new RackhandError('not_permitted', 'There is no secret left that this person can see.'),
        {
          isChanging: false,
        },
      );
      const nobodys = { actor, origin, operation: 'reveal', target: null, nowMs: now() };
      await runs.addAuditEntry({ ...nobodys, status: 'refused', problem });
      const ownerId = await secrets.findOwner(id, actor.teamId);
      return ownerId === undefined || ownerId === actor.userId
        ? { kind: 'gone' }
        : { kind: 'others', ownerId };
    }
    const run = await runs.find(stored.runId);
    const checkAccess = await resolveAccess(actor, origin);
    const required = listRequiredAccess(run);
    const denial = required.map(checkAccess).find((found) => found !== undefined);
    const labels = stored.labels.join(', ');
    const entry = { actor, origin, operation: 'reveal', target: run?.target ?? null, nowMs: now() };
    const known = toVpsLabels(run?.displayNames);
    const target = run?.target ? ` of ${createVpsLabeler(known)(run.target)}` : '';
    const problem = denial
      ? labelProblem(deniedProblem(denial), known)
      : await checkApproval({
          actor,
          secretId: id,
          title: `Show ${labels}${target}`,
          vps: required.at(-1)?.vps ?? [],
          expiresMs: stored.expiresMs,
        });
    if (problem) {
      await runs.addAuditEntry({ ...entry, status: 'refused', problem });
      return { kind: 'problem', problem };
    }
    // Deleted only after the checks, so a crash or a failed check doesn't lose the secrets.
    const revealed = await secrets.reveal(id, actor);
    if (!revealed) return { kind: 'gone' };
    try {
      // The entry is added first, so no secret is shown without an entry.
      const of = run ? ` of ${run.operation}` : '';
      await runs.addAuditEntry({ ...entry, status: 'done', outcome: { title: `Revealed${of}: ${labels}` } });
      return { kind: 'revealed', revealed, run };
    } catch (error) {
      await revealed.restore();
      throw error;
    }
  };
}
