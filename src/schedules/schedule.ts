import { z } from 'zod';
import { rawInputSchema } from '../operations/define/arguments/raw-input.ts';
import type { PlanKind, PlanOf } from '../plans/plan.ts';
import { when } from '../time/when.ts';
import { keepRule } from './retention/keep-rule.ts';

const act = z.object({
  operation: z.string(),
  /** The operation's input without the VPS. */
  input: rawInputSchema,
  /** Space-separated VPS names and patterns; `null` if the operation acts on no VPS. */
  vps: z.string().nullable(),
  /** The change with its targets: "Reboot web-01 (VPS-10001)". */
  title: z.string(),
  /** The command and time, written so that a person could type them again. */
  command: z.string(),
  when: z.string(),
});

const target = z.object({
  /** Empty if the operation acts on no VPS. */
  vps: z.string(),
  /**
   * The `claim` step is stored before other schedules are looked up, so that of two schedules, at least
   * one sees the other.
   */
  step: z.enum(['start', 'claim', 'run', 'available', 'delete', 'done']),
  /** Starts at 1. Another attempt follows only if the current attempt certainly sent nothing. */
  attempt: z.number().default(1),
  isOk: z.boolean().default(false),
  /** Whether the change was denied because the schedule's creator lost the right to make it. */
  isDenied: z.boolean().default(false),
  /** The result, once the target is done. */
  text: z.string().default(''),
  /** The name of the snapshot that the target's run takes. */
  snapshot: z.string().optional(),
  /** Names of the snapshots still to be deleted. */
  deletions: z.array(z.string()).default([]),
  notes: z.array(z.string()).default([]),
});

export type Target = Readonly<z.infer<typeof target>>;

const occurrence = z.object({ dueMs: z.number(), targets: z.array(target).readonly() });

/** An occurrence that has begun. `targets` is empty until the VPS are known. */
export type Occurrence = Readonly<z.infer<typeof occurrence>>;

const lastResult = z.object({ dueMs: z.number(), isOk: z.boolean(), text: z.string() });

export type LastResult = Readonly<z.infer<typeof lastResult>>;

const spec = z.object({
  channel: z.string(),
  act,
  timing: when,
  /** The rule for keeping snapshots; `null` if the schedule never deletes any. */
  keep: keepRule.nullable(),
  /** How long (ms) before each occurrence the announcement is posted. 0 if occurrences aren't announced. */
  announceMs: z.number(),
  /** Who approved the schedule, and for which targets; `null` if no approval was needed. */
  approval: z.object({ by: z.string(), targets: z.array(z.string()).readonly() }).nullable(),
});

const progress = z.object({ lastResult: lastResult.nullable().default(null) });

type Spec = Readonly<z.infer<typeof spec>>;
type Progress = Readonly<z.infer<typeof progress>>;

/** A change that happens at a later time, once or repeatedly. */
export type Schedule = PlanOf<Spec, Progress, Occurrence>;

/** The user-defined part of a schedule. */
export type SchedulePlan = Omit<Spec, 'approval'> & { readonly name: string };

export const scheduleKind: PlanKind<Spec, Progress, Occurrence> = {
  name: 'schedule',
  noun: 'schedule',
  spec,
  progress,
  occurrence,
  when: ({ timing }) => timing,
};

/** Returns the key of an occurrence's message, whose thread shows the runs. */
export const toOccurrenceKey = (scheduleId: string, dueMs: number) => `schedule:${scheduleId}:${dueMs}`;
