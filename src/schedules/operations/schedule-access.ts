import { RackhandError } from '../../errors.ts';
import { selectVps } from '../../monitoring/shared/monitor/plan-target.ts';
import { isVpsSelected, type SelectableVps } from '../../monitoring/shared/vps-selection.ts';
import { canViewVps, type Denial, DeniedError } from '../../operations/define/access/access.ts';
import type { OperationContext } from '../../operations/define/operation.ts';
import type { Schedule } from '../schedule.ts';
import type { ScheduleStore } from '../schedule-store.ts';

/**
 * The same error as for a name that doesn't exist, so that it reveals no schedule the actor can't
 * see.
 */
function notFound(name: string): RackhandError {
  return new RackhandError('input_invalid', `There's no schedule named "${name}" here.`);
}

async function listFleet(context: OperationContext): Promise<readonly SelectableVps[]> {
  try {
    return (await selectVps(context, '*')).list.vps;
  } catch {
    // Without the list, the VPS of a schedule are known only if it has no patterns.
    return [];
  }
}

function listTargets({ act }: Schedule, fleet: readonly SelectableVps[]): readonly string[] {
  const { vps } = act;
  if (vps === null) return [];
  if (!vps.includes('*')) return vps.split(' ');
  return fleet.filter((one) => isVpsSelected(vps, one)).map(({ name }) => name);
}

/** Keeps the schedules of the actor, and those on a VPS that the actor is allowed to view. */
export async function filterVisible(
  all: readonly Schedule[],
  context: OperationContext,
): Promise<readonly Schedule[]> {
  const { actor } = context;
  if (all.length === 0) return [];
  const checkAccess = await context.loadAccess();
  const seesAll = checkAccess({ right: 'view', vps: [] }) === undefined;
  const fleet = seesAll || !all.some(({ act }) => act.vps?.includes('*')) ? [] : await listFleet(context);
  return all.filter(
    (schedule) =>
      seesAll ||
      schedule.createdBy === actor.userId ||
      listTargets(schedule, fleet).some((vps) => canViewVps(checkAccess, vps)),
  );
}

/** Returns a schedule by its name. Throws `input_invalid` if there is none that the actor can see. */
export async function requireVisible(
  store: Pick<ScheduleStore, 'list'>,
  context: OperationContext,
  name: string,
): Promise<Schedule> {
  const visible = await filterVisible(await store.list(context.actor.teamId), context);
  const found = visible.find((schedule) => schedule.name === name);
  if (!found) throw notFound(name);
  return found;
}

/**
 * Returns a schedule for the actor to pause, skip or delete. Throws unless they created it or are
 * allowed to operate all of its VPS.
 */
export async function requireManageable(
  store: Pick<ScheduleStore, 'list'>,
  context: OperationContext,
  name: string,
): Promise<Schedule> {
  const schedule = await requireVisible(store, context, name);
  const denial = await findManageDenial(schedule, context);
  if (denial) throw new DeniedError(denial);
  return schedule;
}

/** Returns why the actor can't pause, skip or delete a schedule, or undefined. */
export async function findManageDenial(
  schedule: Schedule,
  context: OperationContext,
): Promise<Denial | undefined> {
  if (schedule.createdBy === context.actor.userId) return undefined;
  const isPattern = schedule.act.vps?.includes('*') === true;
  const vps = listTargets(schedule, isPattern ? await listFleet(context) : []);
  return (await context.loadAccess())({ right: 'operate', vps });
}
