import type { z } from 'zod';
import type { When } from '../time/when.ts';

/**
 * Why a plan is paused. `channel`: the app can't post in the plan's channel. `key`: the API key is missing or rejected.
 * `schedule`: the plan's times are unreadable. `creator`: the creator has left or can no longer view the VPS. Only
 * schedules have the last four, which `formatPauseReason` explains.
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

export function toPauseReason(stored: string | null): PauseReason {
  return pauseReasons.find((reason) => reason === stored) ?? 'person';
}

export function formatPauseReason(reason: PauseReason, noun: string): string {
  switch (reason) {
    case 'person':
      return `Someone paused the ${noun}.`;
    case 'channel':
      return `The ${noun}'s channel was archived or deleted, or I was removed from it. Run /invite @Rackhand there and resume the ${noun}, or edit it to use another channel.`;
    case 'key':
      return `The API key is missing, or the hosting service rejected it. Connect a key, then resume each paused ${noun}.`;
    case 'schedule':
      return `Rackhand can't read the ${noun}'s times anymore. Edit them, then resume the ${noun} if it's still paused.`;
    case 'creator':
      return `The ${noun}'s creator has left the workspace, or can no longer view all of its VPS. Whoever resumes the ${noun} becomes its creator.`;
    case 'left':
      return 'The person who scheduled this is no longer a member of this workspace. Schedule it again in your own name.';
    case 'denied':
      return 'The person who scheduled this no longer has the right to do it.';
    case 'unapproved':
      return 'No one approved this in time. Schedule it again.';
    case 'approval':
      return 'The targets have changed since this was approved. It needs a new approval.';
  }
}

interface PausedState {
  readonly kind: 'paused';
  readonly reason: PauseReason;
  /** `null` if Rackhand paused the plan. The creator is then notified. */
  readonly byUserId: string | null;
  readonly sinceMs: number;
}

export type PlanState = { readonly kind: 'active' | 'approval' | 'ended' | 'deleted' } | PausedState;

export interface StoredPlan {
  readonly id: string;
  readonly teamId: string;
  /** Unique in the workspace. */
  readonly name: string;
  readonly createdBy: string;
  readonly createdMs: number;
  readonly state: PlanState;
  /** When the next occurrence is due; `null` if there is none. */
  readonly nextMs: number | null;
  /** The due time of the occurrence that someone skipped. */
  readonly skippedMs: number | null;
  readonly skippedBy: string | null;
  /** Incremented by each change that a concurrent change must not overwrite. */
  readonly version: number;
}

/** A plan that posts in one channel or in none. */
export interface ChannelPlan extends StoredPlan {
  readonly channel: string | null;
}

/** What a kind of plan declares. The fields of `spec` and `progress` become fields of the plan. */
export interface PlanKind<
  Spec extends { readonly channel: string | null },
  Progress extends object,
  Occurrence,
> {
  readonly name: 'report' | 'watch' | 'maintenance' | 'schedule';
  /** The word for a plan within a sentence. */
  readonly noun: string;
  /** The fields that a person sets, besides the name. */
  readonly spec: z.ZodType<Spec>;
  /** The fields that Rackhand updates. In new plans, they have their defaults. */
  readonly progress: z.ZodType<Progress>;
  /** Progress to reset when a plan is resumed. */
  readonly resumed?: Partial<Progress>;
  readonly occurrence: z.ZodType<Occurrence>;
  /** Returns a plan's times; `null` for kinds without any. */
  readonly when: (spec: Spec) => When | null;
  /** Whether an occurrence is a period, which can already be under way when the plan is added. */
  readonly isPeriod?: boolean;
}

/** A plan of one kind. `occurrence` is the one in progress. */
export type PlanOf<Spec, Progress, Occurrence> = StoredPlan &
  Spec &
  Progress & { readonly occurrence: Occurrence | null };
