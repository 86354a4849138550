import type { z } from 'zod';
import type { When } from '../time/when.ts';
import type { PauseReason } from './pause-reason.ts';

interface PausedState {
  readonly kind: 'paused';
  readonly reason: PauseReason;
  /** `null` if Rackhand paused the plan. In this case, its creator is notified. */
  readonly byUserId: string | null;
  readonly sinceMs: number;
}

export type PlanState = { readonly kind: 'active' | 'approval' | 'ended' | 'deleted' } | PausedState;

/** What plans of all kinds have in common. */
export interface StoredPlan {
  readonly id: string;
  readonly teamId: string;
  /** Unique among the plans of the workspace. */
  readonly name: string;
  readonly createdBy: string;
  readonly createdMs: number;
  readonly state: PlanState;
  /** The time of the next occurrence; `null` if there is none. */
  readonly nextMs: number | null;
  /** The time of the occurrence that a person has skipped. */
  readonly skippedMs: number | null;
  readonly skippedBy: string | null;
  /** Incremented by each change that a concurrent one must not overwrite. */
  readonly version: number;
}

/** A plan that posts in one channel. */
export interface ChannelPlan extends Pick<StoredPlan, 'id' | 'teamId' | 'name' | 'createdBy' | 'state'> {
  readonly channel: string;
}

/** What a kind of plan declares. The part that a person decides is flat in a plan, and so is its progress. */
export interface PlanKind<
  Spec extends { readonly channel: string | null },
  Progress extends object,
  Occurrence,
> {
  readonly name: 'report' | 'watch' | 'maintenance' | 'schedule';
  /** Names a plan in the middle of a sentence. */
  readonly noun: string;
  /** What a person decides, besides the name. */
  readonly spec: z.ZodType<Spec>;
  /** What Rackhand remembers. Each field has a default, which a new plan has. */
  readonly progress: z.ZodType<Progress>;
  /** What is forgotten when a plan is resumed. */
  readonly resumed?: Partial<Progress>;
  readonly occurrence: z.ZodType<Occurrence>;
  /** Returns when it happens; `null` if plans of this kind have no times of their own. */
  readonly when: (spec: Spec) => When | null;
  /** Whether an occurrence is a period, which can be under way when the plan is made. */
  readonly isPeriod?: boolean;
}

/** A plan of a kind. `occurrence` is the one that is in progress. */
export type PlanOf<Spec, Progress, Occurrence> = StoredPlan &
  Spec &
  Progress & { readonly occurrence: Occurrence | null };
