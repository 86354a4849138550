import type { FieldProblem } from '../operations/input.ts';
import type { ReportContent } from './content.ts';
import type { PlanInput } from './plan-arguments.ts';
import { type ReadRecurrence, readRecurrence } from './schedule/read-recurrence.ts';
import type { Recurrence } from './schedule/recurrence.ts';
import type { SummarySettings } from './summary/settings.ts';
import { readThresholds } from './summary/thresholds.ts';

/** What is to be planned, as far as its words say it. */
export interface ReadPlan {
  readonly recurrence: Recurrence;
  readonly content: Omit<ReportContent, 'vpsCount'>;
}

export type PlanReading =
  | { readonly ok: true; readonly plan: ReadPlan }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

const postOf = { always: 'always', standout: 'standsOut', change: 'changed' } as const;

type Every = NonNullable<PlanInput['every']>;

/** What is meant beside which choice only: typed beside another it would be lost. */
const meantFor = { days: 'weekly', day: 'monthly', cron: 'cron' } as const satisfies Partial<
  Record<keyof PlanInput, Every>
>;

/** Reads when a report comes; what was left out is what people expect. `timeZone` is the asker's. */
export function readSchedule(
  { every, at, days, day, cron, zone, quiet }: { readonly [Field in ScheduleField]?: string | undefined },
  timeZone: string,
  nowMs: number,
): ReadRecurrence {
  const written = {
    every,
    at: at || '09:00',
    days: days || 'mon',
    day: day || '1',
    cron,
    zone: zone || timeZone,
    quiet,
  };
  return readRecurrence(written, nowMs);
}

type ScheduleField = 'every' | 'at' | 'days' | 'day' | 'cron' | 'zone' | 'quiet';

/** Reads what is to be planned, every problem beside its field. `settings` are those that hold where none are named. */
export function readPlan(
  input: PlanInput,
  settings: SummarySettings,
  timeZone: string,
  nowMs: number,
): PlanReading {
  const schedule = readSchedule(input, timeZone, nowMs);
  const thresholds = readThresholds(input.thresholds ?? '', settings);
  const about = input.about !== undefined || input.what === 'vps' ? 'vps' : 'fleet';
  const problems: readonly FieldProblem[] = [
    ...misplaced(input),
    ...(schedule.ok ? [] : schedule.problems),
    ...(thresholds.ok ? [] : [{ path: 'thresholds', message: thresholds.problem }]),
    ...scopeProblems(input, about),
  ];
  if (!schedule.ok || !thresholds.ok || problems.length > 0) return { ok: false, problems };
  const vps = about === 'vps' ? (input.about ?? '') : (input.vps ?? '*');
  const post = postOf[input.post ?? 'always'];
  const content = { about, vps, settings: { ...thresholds.settings, post } } as const;
  return { ok: true, plan: { recurrence: schedule.recurrence, content } };
}

function misplaced(input: PlanInput): readonly FieldProblem[] {
  const entries = Object.entries(meantFor).flatMap(([path, every]) => {
    const isGiven = Object.entries(input).some(([name, value]) => name === path && value !== undefined);
    return isGiven && every !== input.every
      ? [{ path, message: `--${path} is for reports that come ${wordsFor[every]}` }]
      : [];
  });
  const isLost = input.every === 'cron' && input.at !== undefined;
  return isLost ? [...entries, { path: 'at', message: 'A cron expression has its own times' }] : entries;
}

const wordsFor = { weekly: 'weekly', monthly: 'monthly', cron: 'as a cron expression says' } as const;

function scopeProblems(
  { vps, about, what }: PlanInput,
  kind: ReportContent['about'],
): readonly FieldProblem[] {
  if (kind === 'vps' && about === undefined)
    return [{ path: 'about', message: 'Choose the VPS that it looks into' }];
  if (kind === 'vps' && what === 'fleet')
    return [{ path: 'what', message: 'It tells of the fleet, or of one VPS: not of both' }];
  if (kind === 'vps' && vps !== undefined)
    return [{ path: 'vps', message: 'A report in depth is about one VPS: leave --vps out' }];
  return [];
}
