import { z } from 'zod';
import type { Course } from './course.ts';

const member = z.object({
  sinceMs: z.number(),
  /** `null` while it is over. */
  endedMs: z.number().nullable(),
  /** How it ended: its figure is back, somebody muted it, or there is no such VPS any more. */
  ending: z.enum(['back', 'muted', 'gone']).nullable(),
  worst: z.number().nullable(),
  latest: z.number().nullable(),
  /** Since when nothing can be read of it. */
  unreadMs: z.number().nullable().default(null),
  state: z.string().nullable(),
});

/** A VPS in the message of a watch. */
export type Member = z.infer<typeof member>;

/** What the one open message of a watch tells: which VPS are over, and which were. */
export const incident = z.object({
  beganMs: z.number(),
  members: z.record(z.string(), member),
  /** VPS that joined and have not been told of in the thread. */
  joined: z.array(z.string()),
  /** Whether Slack has yet to show what has changed. */
  isStale: z.boolean(),
  /** When Slack last showed it. */
  shownMs: z.number().nullable(),
});

export type Incident = z.infer<typeof incident>;

/** One VPS of a watch, before and after a look. */
export interface Step {
  readonly vps: string;
  readonly before: Course;
  readonly after: Course;
  readonly isGone: boolean;
}

/** Tells whether any VPS is still over. */
export function isOpen({ members }: Incident): boolean {
  return Object.values(members).some(({ endedMs }) => endedMs === null);
}

/**
 * Goes on with the message of a watch: it begins when the first VPS is over; one that comes later joins, one that ends leaves. An incident whose last VPS
 * has left ends, unless another comes before Slack has shown that.
 */
export function follow(
  before: Incident | undefined,
  steps: readonly Step[],
  nowMs: number,
): Incident | undefined {
  const members = new Map(Object.entries(before?.members ?? {}));
  const joined: string[] = [];
  let hasLeft = false;
  for (const step of steps) {
    const known = members.get(step.vps);
    const next = memberAfter(known, step, nowMs);
    if (!next || next === known) continue;
    members.set(step.vps, next);
    const wasIn = known !== undefined && known.endedMs === null;
    if (next.endedMs !== null) hasLeft = true;
    else if (!wasIn) joined.push(step.vps);
  }
  if (!before && joined.length === 0) return undefined;
  const all = Object.fromEntries(members);
  if (!before) return { beganMs: nowMs, members: all, joined: [], isStale: true, shownMs: null };
  return {
    ...before,
    members: all,
    joined: [...new Set([...before.joined, ...joined])],
    isStale: before.isStale || hasLeft || joined.length > 0,
  };
}

/** Gives a VPS as it stands in the message after a step; nothing where it does not. */
function memberAfter(
  known: Member | undefined,
  { before, after, isGone }: Step,
  nowMs: number,
): Member | undefined {
  const { sinceMs, worst, latest, state, unreadMs } = after;
  if (after.isOver && sinceMs !== null)
    return { sinceMs, worst, latest, state, unreadMs, endedMs: null, ending: null };
  if (!known || known.endedMs !== null) return known;
  const ending = isGone ? 'gone' : endingOf(before, after);
  const endedMs = ending === 'back' ? (after.backMs ?? nowMs) : nowMs;
  return { ...known, latest: latest ?? known.latest, state, endedMs, ending };
}

/** A VPS that left while its figure was not well back twice was muted. */
function endingOf(before: Course, { sinceMs, backMs }: Course): 'back' | 'muted' {
  return before.isOver && sinceMs === null && backMs !== null ? 'back' : 'muted';
}
