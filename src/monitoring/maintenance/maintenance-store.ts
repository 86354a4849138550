import { z } from 'zod';
import type { Database } from '../../db/engines/database.ts';
import type { PlanKind, PlanOf } from '../../plans/plan.ts';
import { createPlanStore, type Pause, type PlanStoreOptions } from '../../plans/plan-store.ts';
import { currentPeriod, nextPeriod, type Period } from '../../time/periods.ts';
import { when } from '../../time/when.ts';

const spec = z.object({
  /** The channel for announcements; `null` for a mute, which is mentioned only in alerts. */
  channel: z.string().nullable(),
  /** Space-separated VPS names and patterns. */
  vps: z.string(),
  timing: when,
});

const progress = z.object({
  /** When someone last ended an occurrence early. */
  endedMs: z.number().nullable().default(null),
});

/** The occurrence whose start was announced. */
const occurrence = z.object({
  fromMs: z.number(),
  untilMs: z.number(),
  begunMs: z.number(),
  /** The person who ended the occurrence early. */
  endedBy: z.string().nullable().default(null),
});

export type MaintenanceOccurrence = Readonly<z.infer<typeof occurrence>>;

type Spec = Readonly<z.infer<typeof spec>>;
export type MaintenanceProgress = Readonly<z.infer<typeof progress>>;

/** The user-defined part of a maintenance window. */
export type MaintenancePlan = Spec & { readonly name: string };

/** A maintenance window. While it lasts, watches and reports are silent about its VPS. */
export type Maintenance = PlanOf<Spec, MaintenanceProgress, MaintenanceOccurrence>;

const kind: PlanKind<Spec, MaintenanceProgress, MaintenanceOccurrence> = {
  name: 'maintenance',
  noun: 'maintenance window',
  spec,
  progress,
  occurrence,
  when: ({ timing }) => timing,
  isPeriod: true,
};

export type MaintenanceStore = ReturnType<typeof createMaintenanceStore>;

/**
 * Returns the occurrence under way at `nowMs`, or undefined if there is none, if the window is paused, or
 * if the occurrence was skipped or ended early.
 */
export function findCurrent(
  { timing, state, endedMs, skippedMs }: Maintenance,
  nowMs: number,
): Period | undefined {
  if (state.kind !== 'active') return undefined;
  const current = currentPeriod(timing, nowMs);
  const isOver = current && ((endedMs !== null && current.fromMs <= endedMs) || current.fromMs === skippedMs);
  return isOver ? undefined : current;
}

/** Returns the first occurrence after `nowMs` that isn't skipped. */
export function findNext({ timing, skippedMs }: Maintenance, nowMs: number): Period | undefined {
  const next = nextPeriod(timing, nowMs);
  return next && next.fromMs === skippedMs ? nextPeriod(timing, next.fromMs) : next;
}

export function createMaintenanceStore(db: Database, options?: PlanStoreOptions<Maintenance>) {
  const plans = createPlanStore(db, kind, options);

  /** Returns the column changes that end an occurrence under way. The job then announces the end. */
  function ending({ occurrence }: Maintenance, nowMs: number, endedBy: string | null) {
    if (!occurrence || nowMs >= occurrence.untilMs) return {};
    return { occurrence: JSON.stringify({ ...occurrence, untilMs: nowMs, endedBy }) };
  }

  return {
    ...plans,

    /**
     * Replaces the plan. If the times change, an occurrence that was ended early can begin again. Calls `tellChange` in
     * the transaction if an occurrence under way continues with different VPS or a different end.
     */
    edit(
      window: Maintenance,
      plan: MaintenancePlan,
      nowMs: number,
      changedBy: string,
      tellChange: (edited: Maintenance, transaction: Database) => Promise<void> = async () => {},
    ) {
      const { occurrence } = window;
      const hasSameTimes = JSON.stringify(plan.timing) === JSON.stringify(window.timing);
      const current = hasSameTimes ? occurrence : currentPeriod(plan.timing, nowMs);
      const isContinued = occurrence !== null && current && nowMs < occurrence.untilMs;
      const isOnlyRenamed = plan.vps === window.vps && current?.untilMs === occurrence?.untilMs;
      const more = {
        ...(!hasSameTimes && { progress: plans.toProgress(window, { endedMs: null }) }),
        // An occurrence that was ended early begins again once its end has been announced.
        ...(!hasSameTimes && occurrence && current && !isContinued && { next_at: current.fromMs }),
        ...(isContinued
          ? { occurrence: JSON.stringify({ ...occurrence, untilMs: current.untilMs }) }
          : ending(window, nowMs, changedBy)),
      };
      return plans.edit(window, plan, nowMs, more, async (seen, values, transaction) => {
        const edited = await plans.change(seen, values, transaction);
        if (edited && isContinued && !isOnlyRenamed) await tellChange(edited, transaction);
        return edited;
      });
    },

    pause: (window: Maintenance, pause: Pause, nowMs: number, transaction?: Database) =>
      plans.pause(window, pause, nowMs, transaction, ending(window, nowMs, pause.byUserId)),

    delete: (
      window: Maintenance,
      by: Pick<Pause, 'byUserId'>,
      nowMs: number,
      transaction?: Database,
    ): Promise<Maintenance | undefined> =>
      plans.delete(window, by, nowMs, transaction, ending(window, nowMs, by.byUserId)),

    endOccurrence: (window: Maintenance, nowMs: number, endedBy: string): Promise<Maintenance | undefined> =>
      plans.change(window, {
        progress: plans.toProgress(window, { endedMs: nowMs }),
        ...ending(window, nowMs, endedBy),
      }),
  };
}
