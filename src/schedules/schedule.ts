import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { ScheduleTable } from '../db/schema/schedule-tables.ts';
import { rawInputSchema } from '../operations/define/arguments/raw-input.ts';
import { type When, when as whenSchema } from '../time/when.ts';
import { type KeepRule, keepRule } from './retention/keep-rule.ts';

/** The change that a schedule makes. */
const act = z.object({
  operation: z.string(),
  /** The operation's input without the VPS. */
  input: rawInputSchema,
  /** Names and patterns of VPS, separated by spaces; `null` if the operation acts on no VPS. */
  vps: z.string().nullable(),
  /** Names the change and its targets: "Reboot web-01 (VPS-10001)". */
  title: z.string(),
  /** The command and the time in a form that can be typed again. */
  command: z.string(),
  when: z.string(),
});

export type ScheduledAct = Readonly<z.infer<typeof act>>;

const approval = z.object({ by: z.string(), targets: z.array(z.string()).readonly() });

/** The state of a target in an occurrence. */
const target = z.object({
  /** The VPS; empty if the operation acts on no VPS. */
  vps: z.string(),
  step: z.enum(['start', 'run', 'available', 'delete', 'done']),
  /**
   * The number of the current attempt. An attempt is repeated only if it certainly sent nothing.
   */
  attempt: z.number().default(1),
  isOk: z.boolean().default(false),
  /** Whether the schedule's creator no longer has the right. */
  isDenied: z.boolean().default(false),
  /** The result of a target that is done. */
  text: z.string().default(''),
  /** The name of the snapshot that the target's run takes. */
  snapshot: z.string().optional(),
  /** Names of the snapshots that still have to be deleted. */
  deletions: z.array(z.string()).default([]),
  notes: z.array(z.string()).default([]),
});

export type Target = Readonly<z.infer<typeof target>>;

const occurrence = z.object({ dueMs: z.number(), targets: z.array(target).readonly() });

/** An occurrence of a schedule that has begun. `targets` is empty until its VPS are known. */
export type Occurrence = Readonly<z.infer<typeof occurrence>>;

const lastResult = z.object({ dueMs: z.number(), isOk: z.boolean(), text: z.string() });

export type LastResult = Readonly<z.infer<typeof lastResult>>;

/** Why Rackhand has paused a schedule. */
export const pauseTexts = {
  person: 'Someone paused it.',
  left: 'The person who scheduled it is no longer a member of this workspace. Schedule it again in your own name.',
  denied: 'The person who scheduled it no longer has the right to do this.',
  approval: 'Its targets have changed since it was approved. It needs a new approval.',
  unapproved: 'No one approved it in time. Schedule it again.',
} as const;

export type PauseReason = keyof typeof pauseTexts;

export interface Schedule {
  readonly id: string;
  readonly teamId: string;
  /** Unique in the workspace. */
  readonly name: string;
  readonly channel: string;
  readonly createdBy: string;
  readonly createdMs: number;
  readonly act: ScheduledAct;
  readonly timing: When;
  readonly keep: KeepRule | null;
  readonly announceMs: number;
  readonly state: ScheduleTable['state'];
  readonly pausedReason: PauseReason | null;
  readonly pausedBy: string | null;
  readonly approval: Readonly<z.infer<typeof approval>> | null;
  readonly nextMs: number | null;
  readonly skippedMs: number | null;
  readonly skippedBy: string | null;
  readonly occurrence: Occurrence | null;
  readonly lastResult: LastResult | null;
}

/** Returns the key of the one message about an occurrence. Its runs are shown in the thread. */
export const toOccurrenceKey = (scheduleId: string, dueMs: number) => `schedule:${scheduleId}:${dueMs}`;

/** The part of a schedule that a person decides. */
export type SchedulePlan = Pick<Schedule, 'name' | 'channel' | 'act' | 'timing' | 'keep' | 'announceMs'>;

function parseColumn<T>(schema: z.ZodType<T>, text: string | null): T | null {
  return text === null ? null : schema.parse(JSON.parse(text));
}

export function toSchedule(row: Selectable<ScheduleTable>): Schedule {
  return {
    id: row.id,
    teamId: row.team_id,
    name: row.name,
    channel: row.channel,
    createdBy: row.created_by,
    createdMs: row.created_at,
    act: act.parse(JSON.parse(row.act)),
    timing: whenSchema.parse(JSON.parse(row.timing)),
    keep: parseColumn(keepRule, row.keep),
    announceMs: row.announce_ms,
    state: row.state,
    pausedReason: toPauseReason(row.paused_reason),
    pausedBy: row.paused_by,
    approval: parseColumn(approval, row.approval),
    nextMs: row.next_at,
    skippedMs: row.skipped_at,
    skippedBy: row.skipped_by,
    occurrence: parseColumn(occurrence, row.occurrence),
    lastResult: parseColumn(lastResult, row.last_result),
  };
}

function toPauseReason(stored: string | null): PauseReason | null {
  if (stored === null) return null;
  return Object.hasOwn(pauseTexts, stored) ? (stored as PauseReason) : 'person';
}
