import type { Actor } from '../operations/define/access/actor.ts';
import type { Outcome } from '../operations/define/outcome.ts';
import { listStep, type PlanKindName } from './plan-words.ts';

/** A plan whose kind only a newer version knows. This version doesn't run such plans. */
export interface NewerPlan {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly version: number;
}

export interface NewerPlans {
  /** Lists the plans whose kind only a newer version knows. */
  listNewer(teamId: string): Promise<readonly NewerPlan[]>;
  /** Pauses or deletes a newer version's plan. Returns false if someone else has changed the plan. */
  stopNewer(
    plan: NewerPlan,
    state: 'paused' | 'deleted',
    by: { readonly byUserId: string | null },
    nowMs: number,
  ): Promise<boolean>;
}

/** Lists the names of a kind's plans, plus those of a newer version's plans. */
export function listNamesWithNewer(
  store: Pick<NewerPlans, 'listNewer'> & { listNames(teamId: string): Promise<readonly string[]> },
) {
  return async (teamId: string): Promise<readonly string[]> => [
    ...(await store.listNames(teamId)),
    ...(await store.listNewer(teamId)).map(({ name }) => name),
  ];
}

export function describeNewer(plans: readonly NewerPlan[]): readonly string[] {
  return plans.map(
    ({ name, state }) =>
      `${name}${state === 'paused' ? ' (paused)' : ''}: made by a newer version of Rackhand, so this one doesn't run it. You can still use report pause or report delete.`,
  );
}

/** Pauses or deletes a newer version's plan. Resolves to undefined if there is none or someone else changed it. */
export async function stopNewerPlan(
  kind: PlanKindName,
  store: NewerPlans,
  { teamId, userId }: Pick<Actor, 'teamId' | 'userId'>,
  name: string,
  how: 'paused' | 'deleted',
  nowMs: number,
): Promise<Outcome | undefined> {
  const newer = (await store.listNewer(teamId)).find((plan) => plan.name === name);
  if (!newer || newer.state === how) return undefined;
  if (!(await store.stopNewer(newer, how, { byUserId: userId }, nowMs))) return undefined;
  return { title: `"${name}" ${how === 'paused' ? 'is paused' : 'was deleted'}`, next: [listStep(kind)] };
}
