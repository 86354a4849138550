import type { NextStep, Value } from '../operations/define/outcome.ts';
import type { StoredPlan } from './plan.ts';

/** A kind of plan, as spelled in the names of its operations. */
export type PlanKindName = 'report' | 'watch' | 'maintenance' | 'schedule';

interface PlanWords {
  readonly one: string;
  /** The word for a plan within a sentence. */
  readonly noun: string;
  readonly many: string;
  /** The label of the List button. */
  readonly list: string;
  readonly showOne: string;
  /** The title of an empty list. */
  readonly none: string;
  /** The operation that adds a plan, and the labels of its buttons. */
  readonly add: string;
  readonly addLabel: string;
  readonly addAgainLabel: string;
}

export const planWords: Readonly<Record<PlanKindName, PlanWords>> = {
  report: {
    one: 'Report',
    noun: 'report',
    many: 'reports',
    list: 'Reports',
    showOne: 'Show a Report',
    none: 'There are no scheduled reports',
    add: 'report add',
    addLabel: 'Schedule a Report',
    addAgainLabel: 'Schedule Again',
  },
  watch: {
    one: 'Watch',
    noun: 'watch',
    many: 'watches',
    list: 'Watches',
    showOne: 'Show a Watch',
    none: 'There are no watches',
    add: 'watch add',
    addLabel: 'Add a Watch',
    addAgainLabel: 'Watch Again',
  },
  maintenance: {
    one: 'Maintenance',
    noun: 'maintenance window',
    many: 'maintenance windows',
    list: 'Maintenance',
    showOne: 'Show a Window',
    none: 'No maintenance is planned',
    add: 'maintenance',
    addLabel: 'Plan Maintenance',
    addAgainLabel: 'Plan Again',
  },
  schedule: {
    one: 'Schedule',
    noun: 'schedule',
    many: 'schedules',
    list: 'Schedules',
    showOne: 'Show a Schedule',
    none: 'Nothing is scheduled',
    add: 'schedule',
    addLabel: 'Schedule a Change',
    addAgainLabel: 'Schedule Again',
  },
};

/** The plan fields that determine the buttons. */
interface PlanStatus extends Pick<StoredPlan, 'name' | 'nextMs' | 'skippedMs'> {
  readonly state: Pick<StoredPlan['state'], 'kind'>;
}

const statusTexts: Readonly<Partial<Record<StoredPlan['state']['kind'], string>>> = {
  paused: 'paused',
  approval: 'waits for approval',
  ended: 'done',
};

export function toStatusText(state: StoredPlan['state']['kind']): string {
  return statusTexts[state] ?? state;
}

/** Formats a plan's next occurrence for a list, or why the plan has none. */
export function formatNext({ state, nextMs, skippedMs }: Omit<PlanStatus, 'name'>): Value {
  if (state.kind !== 'active') return toStatusText(state.kind);
  if (nextMs === null) return 'under way';
  return skippedMs === nextMs ? 'skipped' : { kind: 'time', timeMs: nextMs };
}

/** Returns when an active plan's next occurrence is due, unless it's already skipped. */
export function findSkippable({ state, nextMs, skippedMs }: Omit<PlanStatus, 'name'>): number | undefined {
  return state.kind === 'active' && nextMs !== null && nextMs !== skippedMs ? nextMs : undefined;
}

export function planSteps(kind: PlanKindName, plan: PlanStatus): readonly NextStep[] {
  const { name, state } = plan;
  const input = { name };
  const skippableMs = findSkippable(plan);
  return [
    { label: 'Edit', operation: `${kind} edit`, input, opensForm: true },
    ...(state.kind === 'active' ? [{ label: 'Pause', operation: `${kind} pause`, input }] : []),
    ...(state.kind === 'paused' ? [{ label: 'Resume', operation: `${kind} resume`, input }] : []),
    ...(skippableMs !== undefined
      ? [
          {
            label: 'Skip Next Time',
            operation: `${kind} skip`,
            input: { name, time: String(skippableMs) },
          },
        ]
      : []),
    { label: 'Delete', operation: `${kind} delete`, input },
  ];
}

export function showStep(kind: PlanKindName, name: string): NextStep {
  return { label: 'Show', operation: `${kind} show`, input: { name } };
}

export function listStep(kind: PlanKindName): NextStep {
  return { label: planWords[kind].list, operation: `${kind} list`, input: {} };
}
