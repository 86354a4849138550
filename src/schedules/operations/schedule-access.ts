import { selectVps } from '../../monitoring/shared/plan-target.ts';
import { isVpsSelected, type SelectableVps } from '../../monitoring/shared/vps-selection.ts';
import { canViewVps, DeniedError } from '../../operations/define/access/access.ts';
import type { OperationContext } from '../../operations/define/operation.ts';
import type { Schedule } from '../schedule.ts';

async function listFleet(
  context: Pick<OperationContext, 'read' | 'workspace'>,
): Promise<readonly SelectableVps[]> {
  try {
    return (await selectVps(context, '*')).list.vps;
  } catch {
    // Without the list, only the VPS of schedules without patterns are known.
    return [];
  }
}

function listTargets({ act }: Schedule, fleet: readonly SelectableVps[]): readonly string[] {
  const { vps } = act;
  if (vps === null) return [];
  if (!vps.includes('*')) return vps.split(' ');
  return fleet.filter((one) => isVpsSelected(vps, one)).map(({ name }) => name);
}

/** Returns the actor's own schedules and those on VPS that the actor can view. */
export async function filterVisible(
  all: readonly Schedule[],
  context: Pick<OperationContext, 'read' | 'workspace' | 'actor' | 'loadAccess'>,
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

/** Throws unless the actor created the schedule or can operate all of its VPS. */
export async function assertManageable(schedule: Schedule, context: OperationContext): Promise<void> {
  if (schedule.createdBy === context.actor.userId) return;
  const isPattern = schedule.act.vps?.includes('*') === true;
  const vps = listTargets(schedule, isPattern ? await listFleet(context) : []);
  const denial = (await context.loadAccess())({ right: 'operate', vps });
  if (denial) throw new DeniedError(denial);
}
