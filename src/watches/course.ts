import { z } from 'zod';
import { readingsToEnd } from './condition.ts';
import type { Look } from './judge.ts';

/** How one VPS of a watch goes, as the watch's row keeps it. What is calm and can be read is not kept. */
export const course = z.object({
  /** The first reading of an unbroken run in which the condition holds. */
  sinceMs: z.number().nullable(),
  /** The last reading. */
  readMs: z.number().nullable(),
  /** Since when nothing can be read. */
  unreadMs: z.number().nullable(),
  /** Whether it has held for long enough, and so stands in the message of the watch. */
  isOver: z.boolean(),
  /** Readings in a row that are well back, and the first of them. */
  backs: z.int(),
  backMs: z.number().nullable(),
  /** The furthest figure of the run, and the last. */
  worst: z.number().nullable(),
  latest: z.number().nullable(),
  /** The last state, in the service's own word. */
  state: z.string().nullable(),
});

export type Course = z.infer<typeof course>;

export const calm: Course = {
  sinceMs: null,
  readMs: null,
  unreadMs: null,
  isOver: false,
  backs: 0,
  backMs: null,
  worst: null,
  latest: null,
  state: null,
};

export interface Rules {
  /** How long the condition has to hold. */
  readonly forMs: number;
  /** For `under` the lowest figure is the furthest. */
  readonly isLowWorse: boolean;
  /** Longest pause between two readings in which nobody can tell what was, over which a run goes on. */
  readonly gapMs: number;
  /** Nothing begins, and what has begun ends as far as the message goes; its run goes on. */
  readonly isMuted: boolean;
}

/**
 * Goes on with a VPS by one look. A condition has to hold through all readings of its time; one that could not be read is neither for it nor against it,
 * and what is over ends by readings that are well back, in a row.
 */
export function advance(before: Course, look: Look, rules: Rules): Course {
  const { atMs, verdict } = look;
  const isOver = before.isOver && !rules.isMuted;
  if (verdict === 'gone') return calm;
  if (verdict === 'unread') return { ...before, isOver, unreadMs: before.unreadMs ?? atMs };
  const read = {
    ...before,
    readMs: atMs,
    unreadMs: null,
    latest: look.figure ?? null,
    state: look.state ?? null,
  };
  if (verdict === 'over') return goOn(before, read, look, rules);
  const cleared: Course = { ...calm, readMs: atMs, latest: read.latest, state: read.state };
  if (!isOver) return cleared;
  if (verdict === 'near') return { ...read, isOver, backs: 0, backMs: null };
  const backs = before.backs + 1;
  const backMs = before.backMs ?? atMs;
  return backs < readingsToEnd ? { ...read, isOver, backs, backMs } : { ...cleared, backMs };
}

function goOn(before: Course, read: Course, { atMs, figure }: Look, rules: Rules): Course {
  const { forMs, gapMs, isLowWorse, isMuted } = rules;
  const isUnbroken = before.isOver || (before.readMs !== null && atMs - before.readMs <= gapMs);
  const runs = before.sinceMs !== null && isUnbroken;
  const sinceMs = runs && before.sinceMs !== null ? before.sinceMs : atMs;
  const figures = [...(runs && before.worst !== null ? [before.worst] : []), figure ?? []].flat();
  const worst = figures.length === 0 ? null : isLowWorse ? Math.min(...figures) : Math.max(...figures);
  const isOver = !isMuted && (before.isOver || atMs - sinceMs >= forMs);
  return { ...read, sinceMs, worst, isOver, backs: 0, backMs: null };
}

/** Tells whether there is anything to be kept of a VPS. */
export function isWorthKeeping({ sinceMs, unreadMs, isOver }: Course): boolean {
  return sinceMs !== null || unreadMs !== null || isOver;
}
