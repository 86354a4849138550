import { z } from 'zod';
import type { Database } from '../../db/engines/database.ts';
import type { RowReader } from '../../db/row-reader.ts';
import { wasUpdated } from '../../db/was-updated.ts';
import type { PlanKind, PlanOf } from '../../plans/plan.ts';
import { createPlanStore } from '../../plans/plan-store.ts';
import { currentPeriod, nextPeriod, type Period } from '../../time/periods.ts';
import { when } from '../../time/when.ts';

const facts = z.object({
  /** Where it is announced. `null` if only the alerts of its VPS say that they are muted. */
  channel: z.string().nullable(),
  /** Names and patterns of VPS, separated by spaces. */
  vps: z.string(),
  timing: when,
});

const progress = z.object({
  /** When a person last ended an occurrence early. */
  endedMs: z.number().nullable().default(null),
});

type Facts = Readonly<z.infer<typeof facts>>;
type Progress = Readonly<z.infer<typeof progress>>;

/** The part of a maintenance window that a person decides. */
export type MaintenancePlan = Facts & { readonly name: string };

/**
 * A maintenance window. During an occurrence of it, watches and reports are silent about its VPS.
 */
export type Maintenance = PlanOf<Facts, Progress, never>;

const kind: PlanKind<Facts, Progress, never> = {
  name: 'maintenance',
  noun: 'maintenance window',
  facts,
  progress,
  occurrence: z.never(),
  when: ({ timing }) => timing,
  findNext: (timing, atMs) => nextPeriod(timing, atMs)?.fromMs,
};

export type MaintenanceStore = ReturnType<typeof createMaintenanceStore>;

/** Returns the occurrence of a window at `nowMs`, unless it is paused, or a person has ended or skipped it. */
export function findCurrent(
  { timing, state, endedMs, skippedMs }: Maintenance,
  nowMs: number,
): Period | undefined {
  if (state.kind !== 'active') return undefined;
  const current = currentPeriod(timing, nowMs);
  const isOver = current && ((endedMs !== null && current.fromMs <= endedMs) || current.fromMs === skippedMs);
  return isOver ? undefined : current;
}

/** Returns the next occurrence of a window after `nowMs` that nobody has skipped. */
export function findNext({ timing, skippedMs }: Maintenance, nowMs: number): Period | undefined {
  const next = nextPeriod(timing, nowMs);
  return next && next.fromMs === skippedMs ? nextPeriod(timing, next.fromMs) : next;
}

export function createMaintenanceStore(db: Database, rowReader?: RowReader) {
  const plans = createPlanStore(db, kind, { rowReader });
  const progressColumn = (endedMs: number | null) => ({ progress: JSON.stringify({ endedMs }) });

  return {
    ...plans,

    /** Replaces the plan. If the times change, an occurrence that a person has ended begins again. */
    edit(window: Maintenance, plan: MaintenancePlan, nowMs: number) {
      const hasSameTimes = JSON.stringify(plan.timing) === JSON.stringify(window.timing);
      return plans.edit(window, plan, nowMs, hasSameTimes ? {} : progressColumn(null));
    },

    /** Ends the current occurrence, and does `alsoDo` in the same transaction. */
    endOccurrence: (
      window: Maintenance,
      nowMs: number,
      alsoDo: (transaction: Database) => Promise<void>,
    ): Promise<Maintenance | undefined> =>
      db.transaction().execute(async (transaction) => {
        const ended = await plans.change(window, progressColumn(nowMs), transaction);
        if (ended) await alsoDo(transaction);
        return ended;
      }),

    /** Stores when the next occurrence begins, unless the window's job has lost its claim. */
    saveNext: (id: string, token: string, nextMs: number | null): Promise<boolean> =>
      wasUpdated(plans.updateClaimed(id, token, { next_at: nextMs })),
  };
}
