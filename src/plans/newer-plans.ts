import type { Actor } from '../operations/define/access/actor.ts';
import type { Outcome } from '../operations/define/outcome.ts';
import { listStep, type PlanKindName } from './plan-words.ts';

/** A plan of a kind that this version doesn't know. It isn't run. */
export interface NewerPlan {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly version: number;
}

export interface NewerPlans {
  /** Lists the plans of kinds that only a newer version knows. */
  listNewer(teamId: string): Promise<readonly NewerPlan[]>;
  /** Returns whether the plan was stopped: nobody else has changed it. */
  stopNewer(
    plan: NewerPlan,
    state: 'paused' | 'deleted',
    by: { readonly byUserId: string | null },
    nowMs: number,
  ): Promise<boolean>;
}

/** Returns the names of a kind's plans, and those of plans that only a newer version knows. */
export function listNamesWithNewer(
  store: Pick<NewerPlans, 'listNewer'> & { listNames(teamId: string): Promise<readonly string[]> },
) {
  return async (teamId: string): Promise<readonly string[]> => [
    ...(await store.listNames(teamId)),
    ...(await store.listNewer(teamId)).map(({ name }) => name),
  ];
}

/** Returns a note about each plan. */
export function describeNewer(plans: readonly NewerPlan[]): readonly string[] {
  return plans.map(
    ({ name, state }) =>
      `${name}${state === 'paused' ? ' (paused)' : ''}: made by a newer version of Rackhand, so this one doesn't run it. You can still use report pause or report delete.`,
  );
}

/** Pauses or deletes a plan of such a kind. Resolves to undefined if none has this name. */
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
