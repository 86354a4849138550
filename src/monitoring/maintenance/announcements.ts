import { formatScope, splitList } from '../../auth/vps-pattern.ts';
import type { Fact, Outcome } from '../../operations/define/outcome.ts';
import type { LabelVps } from '../../operations/format/label-vps.ts';
import { formatWhen } from '../../time/format-when.ts';
import type { Period } from '../../time/periods.ts';
import { formatShortList } from '../shared/text-format.ts';
import type { Maintenance, MaintenancePlan } from './maintenance-store.ts';

export interface OngoingProblem {
  readonly vps: string;
  readonly what: string;
  readonly sinceMs: number;
}

/** Maximum problems or VPS listed in one line of an announcement. */
const maxProblems = 5;

export function formatPlanned(
  { vps, timing, createdBy }: Pick<Maintenance, 'vps' | 'timing' | 'createdBy'>,
  count: number,
  labelVps: LabelVps,
): Outcome {
  return {
    title: `Maintenance of ${labelVps(formatScope(splitList(vps)))} is planned`,
    facts: [{ label: 'When', value: formatWhen(timing) }, plannedByFact(createdBy)],
    notes: [`During maintenance, watches and reports are silent about ${count} VPS.`],
  };
}

export function formatStart(
  { name, vps, createdBy }: Pick<Maintenance, 'name' | 'vps' | 'createdBy'>,
  { untilMs }: Period,
  labelVps: LabelVps,
): Outcome {
  return {
    title: `🔧 Maintenance of ${labelVps(formatScope(splitList(vps)))} has begun`,
    facts: [{ label: 'Until', value: { kind: 'time', timeMs: untilMs } }, plannedByFact(createdBy)],
    notes: ['Watches and reports are silent about these VPS until maintenance ends.'],
    next: [{ label: 'End Now', operation: 'maintenance end', input: { name } }],
  };
}

function plannedByFact(createdBy: string): Fact {
  return { label: 'Planned by', value: { kind: 'person', person: createdBy } };
}

export function formatEnd(
  { vps }: Pick<MaintenancePlan, 'vps'>,
  { fromMs }: Period,
  problems: readonly OngoingProblem[] | undefined,
  stillSilent: readonly string[],
  labelVps: LabelVps,
  endedBy?: string,
): Outcome {
  const more =
    stillSilent.length === 0
      ? []
      : [`Still in another maintenance window: ${formatShortList(stillSilent.map(labelVps), maxProblems)}.`];
  return {
    title: `Maintenance of ${labelVps(formatScope(splitList(vps)))} has ended`,
    ...(endedBy && { facts: [{ label: 'Ended by', value: { kind: 'person', person: endedBy } }] }),
    notes: [...(problems ? [formatProblems(problems, fromMs, labelVps)] : []), ...more],
  };
}

function formatProblems(problems: readonly OngoingProblem[], beganMs: number, labelVps: LabelVps): string {
  if (problems.length === 0) return 'Watches find nothing wrong with these VPS.';
  const items = problems.map(
    ({ vps, what, sinceMs }) =>
      `${labelVps(vps)} ${what}${sinceMs < beganMs ? ' (since before the maintenance)' : ''}`,
  );
  return `Still wrong at the last check: ${formatShortList(items, maxProblems)}.`;
}
