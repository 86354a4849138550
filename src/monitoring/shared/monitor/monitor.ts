import { RackhandError } from '../../../errors.ts';
import type { NextStep } from '../../../operations/define/outcome.ts';
import type { PauseReason } from '../../../plans/pause-reason.ts';

/** The fields that reports, watches and maintenance windows have in common. */
export interface Plan {
  readonly id: string;
  readonly teamId: string;
  /** Unique in the workspace. */
  readonly name: string;
  readonly createdBy: string;
  readonly state: MonitorState;
}

export interface Monitor extends Plan {
  readonly channel: string;
}

export type MonitorState = { readonly kind: 'active' | 'approval' | 'ended' | 'deleted' } | PausedState;

export interface PausedState {
  readonly kind: 'paused';
  readonly reason: PauseReason;
  /** `null` if Rackhand paused the monitor. In this case, its creator is notified. */
  readonly byUserId: string | null;
}

export type MonitorKind = 'report' | 'watch';

/** The word for a plan in the names of its operations. */
export type PlanKind = MonitorKind | 'maintenance';

/** The words for plans in messages. `noun` is one of them in the middle of a sentence. */
export const monitorTexts: Readonly<
  Record<
    PlanKind,
    { readonly one: string; readonly noun: string; readonly many: string; readonly list: string }
  >
> = {
  report: { one: 'Report', noun: 'report', many: 'reports', list: 'Reports' },
  watch: { one: 'Watch', noun: 'watch', many: 'watches', list: 'Watches' },
  maintenance: {
    one: 'Maintenance',
    noun: 'maintenance window',
    many: 'maintenance windows',
    list: 'Maintenance',
  },
};

/** Finds a monitor of a workspace by name. */
export interface MonitorFinder<One extends Plan> {
  find(teamId: string, name: string): Promise<One | undefined>;
}

/** How often a change is retried if someone else changed the monitor at the same time. */
const maxAttempts = 5;

/** Returns a monitor by its name. Throws `input_invalid` if there is none. */
export async function requireMonitor<One extends Plan>(
  kind: PlanKind,
  store: MonitorFinder<One>,
  teamId: string,
  name: string,
): Promise<One> {
  const monitor = await store.find(teamId, name);
  if (!monitor)
    throw new RackhandError('input_invalid', `There's no ${monitorTexts[kind].noun} named "${name}" here.`);
  return monitor;
}

/**
 * Applies a change to the latest version of a monitor. `change` resolves to undefined if someone
 * else changed the monitor first, and is then retried.
 */
export async function updateMonitor<One extends Plan, Result>(
  kind: PlanKind,
  store: MonitorFinder<One>,
  { teamId, name }: Pick<Plan, 'teamId' | 'name'>,
  change: (present: One) => Promise<Result | undefined>,
): Promise<Result> {
  for (let left = maxAttempts; left > 0; left -= 1) {
    const result = await change(await requireMonitor(kind, store, teamId, name));
    if (result !== undefined) return result;
  }
  throw new RackhandError(
    'input_invalid',
    `Someone else is editing ${monitorTexts[kind].noun} "${name}". Try again.`,
  );
}

/** Returns the buttons that edit, pause or resume, and delete a monitor. */
export function monitorNextSteps(kind: PlanKind, name: string, isPaused: boolean): readonly NextStep[] {
  const input = { name };
  return [
    { label: 'Edit', operation: `${kind} edit`, input, opensForm: true },
    isPaused
      ? { label: 'Resume', operation: `${kind} resume`, input }
      : { label: 'Pause', operation: `${kind} pause`, input },
    { label: 'Delete', operation: `${kind} delete`, input },
  ];
}

/** Returns the button that lists the monitors of a kind. */
export function listStep(kind: PlanKind): NextStep {
  return { label: monitorTexts[kind].list, operation: `${kind} list`, input: {} };
}
