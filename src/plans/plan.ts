import type { z } from 'zod';
import type { When } from '../time/when.ts';

/**
 * Why a plan is paused. `channel`: the app can't post in its channel. `key`: the API key is missing or
 * rejected. `schedule`: its times can't be read. `creator`: its creator has left, or can no longer view its
 * VPS. Only schedules have the last four. `formatPauseReason` says what they mean.
 */
const pauseReasons = [
  'person',
  'channel',
  'key',
  'schedule',
  'creator',
  'left',
  'denied',
  'unapproved',
  'approval',
] as const;

export type PauseReason = (typeof pauseReasons)[number];

/** Parses a stored reason. */
export function toPauseReason(stored: string | null): PauseReason {
  return pauseReasons.find((reason) => reason === stored) ?? 'person';
}

/** Returns a sentence that says why a plan is paused. */
export function formatPauseReason(reason: PauseReason, noun: string): string {
  switch (reason) {
    case 'person':
      return 'Someone paused it.';
    case 'channel':
      return `Its channel was archived or deleted, or I was removed from it. Run /invite @Rackhand there and resume the ${noun}, or edit it to use another channel.`;
    case 'key':
      return `The API key is missing, or the hosting service rejected it. Connect a key, then resume the ${noun}.`;
    case 'schedule':
      return `Its schedule can't be read anymore. Edit it, then resume the ${noun}.`;
    case 'creator':
      return `Its creator has left the workspace, or can't view all of its VPS anymore. Whoever resumes the ${noun} becomes its creator.`;
    case 'left':
      return 'The person who scheduled it is no longer a member of this workspace. Schedule it again in your own name.';
    case 'denied':
      return 'The person who scheduled it no longer has the right to do this.';
    case 'unapproved':
      return 'No one approved it in time. Schedule it again.';
    case 'approval':
      return 'Its targets have changed since it was approved. It needs a new approval.';
  }
}

interface PausedState {
  readonly kind: 'paused';
  readonly reason: PauseReason;
  /** `null` if Rackhand paused the plan. In this case, its creator is notified. */
  readonly byUserId: string | null;
  readonly sinceMs: number;
}

export type PlanState = { readonly kind: 'active' | 'approval' | 'ended' | 'deleted' } | PausedState;

/** The fields common to all kinds of plans. */
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
  /** The time of the occurrence that someone skipped. */
  readonly skippedMs: number | null;
  readonly skippedBy: string | null;
  /** Incremented by each change that a concurrent change must not overwrite. */
  readonly version: number;
}

/** A plan that posts in one channel, or in none. */
export interface ChannelPlan extends StoredPlan {
  readonly channel: string | null;
}

/** What a kind of plan declares. The fields of `spec` and `progress` are fields of the plan itself. */
export interface PlanKind<
  Spec extends { readonly channel: string | null },
  Progress extends object,
  Occurrence,
> {
  readonly name: 'report' | 'watch' | 'maintenance' | 'schedule';
  /** The word for a plan in the middle of a sentence. */
  readonly noun: string;
  /** The part that a person decides, besides the name. */
  readonly spec: z.ZodType<Spec>;
  /** The part that Rackhand updates. A new plan has the default of each field. */
  readonly progress: z.ZodType<Progress>;
  /** The progress that is reset when a plan is resumed. */
  readonly resumed?: Partial<Progress>;
  readonly occurrence: z.ZodType<Occurrence>;
  /** Returns when it happens; `null` if plans of this kind have no times of their own. */
  readonly when: (spec: Spec) => When | null;
  /** Whether an occurrence is a period, which can already be under way when the plan is made. */
  readonly isPeriod?: boolean;
}

/** A plan of one kind. `occurrence` is the one in progress. */
export type PlanOf<Spec, Progress, Occurrence> = StoredPlan &
  Spec &
  Progress & { readonly occurrence: Occurrence | null };
