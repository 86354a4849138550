import { RackhandError } from '../../../errors.ts';
import type { NextStep } from '../../../operations/define/outcome.ts';
import type { PauseReason } from '../pauses/pause-reason.ts';

/** The fields that reports and watches have in common. */
export interface Monitor {
  readonly id: string;
  readonly teamId: string;
  /** Unique in the workspace. */
  readonly name: string;
  readonly channel: string;
  readonly createdBy: string;
  readonly state: MonitorState;
}

export type MonitorState = { readonly kind: 'active' | 'deleted' } | PausedState;

export interface PausedState {
  readonly kind: 'paused';
  readonly reason: PauseReason;
  /** `null` if Rackhand paused the monitor. In this case, its creator is notified. */
  readonly byUserId: string | null;
}

/** The word for a monitor in messages and in the names of its operations. */
export type MonitorKind = 'report' | 'watch';

export const monitorTexts: Readonly<
  Record<MonitorKind, { readonly one: string; readonly many: string; readonly list: string }>
> = {
  report: { one: 'Report', many: 'reports', list: 'Reports' },
  watch: { one: 'Watch', many: 'watches', list: 'Watches' },
};

/** Finds a monitor of a workspace by name. */
export interface MonitorFinder<One extends Monitor> {
  find(teamId: string, name: string): Promise<One | undefined>;
}

/** How often a change is retried if someone else changed the monitor at the same time. */
const maxAttempts = 5;

/** Returns a monitor by its name. Throws `input_invalid` if there is none. */
export async function requireMonitor<One extends Monitor>(
  kind: MonitorKind,
  store: MonitorFinder<One>,
  teamId: string,
  name: string,
): Promise<One> {
  const monitor = await store.find(teamId, name);
  if (!monitor) throw new RackhandError('input_invalid', `There's no ${kind} named "${name}" here.`);
  return monitor;
}

/**
 * Applies a change to the latest version of a monitor. `change` resolves to undefined if someone
 * else changed the monitor first, and is then retried.
 */
export async function updateMonitor<One extends Monitor, Result>(
  kind: MonitorKind,
  store: MonitorFinder<One>,
  { teamId, name }: Pick<Monitor, 'teamId' | 'name'>,
  change: (present: One) => Promise<Result | undefined>,
): Promise<Result> {
  for (let left = maxAttempts; left > 0; left -= 1) {
    const result = await change(await requireMonitor(kind, store, teamId, name));
    if (result !== undefined) return result;
  }
  throw new RackhandError('input_invalid', `Someone else is editing ${kind} "${name}". Try again.`);
}

/** Returns the buttons that edit, pause or resume, and delete a monitor. */
export function monitorNextSteps(kind: MonitorKind, name: string, isPaused: boolean): readonly NextStep[] {
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
export function listStep(kind: MonitorKind): NextStep {
  return { label: monitorTexts[kind].list, operation: `${kind} list`, input: {} };
}
