import type { RawInput } from '../operations/define/arguments/raw-input.ts';
import type { Fact, NextStep, Outcome } from '../operations/define/outcome.ts';
import { showStep } from '../plans/plan-words.ts';
import type { TextFact } from '../runs/pipeline/approval/untitled-input.ts';
import { findStatedReason } from '../runs/stated-reason.ts';
import { formatNextTimes, formatWhen } from '../time/format-when.ts';
import type { When } from '../time/when.ts';
import { formatKeepRule, toKeepText } from './retention/keep-rule.ts';
import type { LastResult, Schedule, SchedulePlan, Target } from './schedule.ts';

export function nextTimeFacts(timing: When, nowMs: number): readonly Fact[] {
  if (timing.kind === 'once') return [];
  return [{ label: 'Next times', value: formatNextTimes(timing, nowMs).join('; ') }];
}

export function planFacts({
  act,
  timing,
  keep,
  channel,
}: Pick<Schedule, 'act' | 'timing' | 'keep' | 'channel'>): readonly Fact[] {
  return [
    { label: 'What', value: act.title },
    { label: 'When', value: formatWhen(timing) },
    ...keepFacts(keep),
    ...reasonFacts(act),
    { label: 'Channel', value: { kind: 'channel', channel } as const },
  ];
}

export function keepFacts(keep: Schedule['keep']): readonly TextFact[] {
  if (!keep) return [];
  return [{ label: 'Keep', value: `${formatKeepRule(keep)}. Only snapshots of this schedule are deleted.` }];
}

export function reasonFacts(act: Schedule['act']): readonly TextFact[] {
  const reason = findStatedReason(act);
  return reason === undefined ? [] : [{ label: 'Reason', value: reason }];
}

const showScheduleStep = ({ name }: Pick<Schedule, 'name'>): NextStep => ({
  ...showStep('schedule', name),
  label: 'Show Schedule',
});

const byFact = ({ createdBy }: Pick<Schedule, 'createdBy'>): Fact => ({
  label: 'Scheduled by',
  value: { kind: 'person', person: createdBy },
});

/** Formats the announcement of an occurrence, with a Skip button. */
export function formatAnnouncement(schedule: Schedule, dueMs: number): Outcome {
  const { act, name } = schedule;
  return {
    title: `⏰ Scheduled: ${act.title}`,
    facts: [
      { label: 'Begins', value: { kind: 'time', timeMs: dueMs } },
      { label: 'Schedule', value: name },
      byFact(schedule),
    ],
    next: [
      { label: 'Skip This Time', operation: 'schedule skip', input: { name, time: String(dueMs) } },
      showScheduleStep(schedule),
    ],
  };
}

export function formatStart(schedule: Schedule, dueMs: number): Outcome {
  return {
    title: `▶️ ${schedule.act.title}`,
    facts: [
      { label: 'Began', value: { kind: 'time', timeMs: dueMs } },
      { label: 'Schedule', value: schedule.name },
      byFact(schedule),
    ],
    next: [showScheduleStep(schedule)],
  };
}

/** Formats an occurrence's result, per target if there are several. */
export function formatResult(schedule: Schedule, result: LastResult, targets: readonly Target[]): Outcome {
  const { act, name } = schedule;
  return {
    title: `${result.isOk ? '✅' : '⚠️'} ${act.title}`,
    facts: [
      { label: 'Time', value: { kind: 'time', timeMs: result.dueMs } },
      { label: 'Schedule', value: name },
      byFact(schedule),
    ],
    notes: [result.text],
    ...(targets.length > 1 && {
      table: {
        columns: ['VPS', 'Result', 'Details'],
        rows: targets.map(({ vps, isOk, text }) => [vps, isOk ? 'done' : 'not done', text]),
      },
    }),
    next: [showScheduleStep(schedule)],
  };
}

function nextFact(nextMs: number | null): readonly Fact[] {
  return [{ label: 'Next', value: nextMs === null ? 'no further time' : { kind: 'time', timeMs: nextMs } }];
}

/** Formats the message about an occurrence that Rackhand missed. */
export function formatMissed(schedule: Schedule, nextMs: number | null): Outcome {
  const { act, name, nextMs: missedMs } = schedule;
  return {
    title: `⚠️ Missed: ${act.title}`,
    facts: [
      ...(missedMs === null ? [] : [{ label: 'Time', value: { kind: 'time', timeMs: missedMs } as const }]),
      { label: 'Schedule', value: name },
      byFact(schedule),
      ...nextFact(nextMs),
    ],
    notes: [
      "Rackhand wasn't running at that time, or couldn't check the rights. It's too late to do this now.",
    ],
    next: [showScheduleStep(schedule)],
  };
}

export function formatSkipped(schedule: Schedule, nextMs: number | null): Outcome {
  const { act, name, skippedBy } = schedule;
  return {
    title: `⏭️ Skipped: ${act.title}`,
    facts: [
      { label: 'Schedule', value: name },
      ...(skippedBy === null
        ? []
        : [{ label: 'Skipped by', value: { kind: 'person', person: skippedBy } as const }]),
      ...nextFact(nextMs),
    ],
    next: [showScheduleStep(schedule)],
  };
}

/** Returns the input that would recreate the schedule. */
export function toInput({ act, timing, keep, announceMs, channel, name }: SchedulePlan): RawInput {
  return {
    act: act.command,
    when: act.when,
    zone: timing.zone,
    ...(keep && { keep: toKeepText(keep) }),
    announce: `${Math.round(announceMs / 60_000)}m`,
    channel,
    name,
  };
}
