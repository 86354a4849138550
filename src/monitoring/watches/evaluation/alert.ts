import { z } from 'zod';
import type { VpsAlertState } from './vps-alert-state.ts';

const alertMember = z.object({
  sinceMs: z.number(),
  /** `null` while the VPS is alerting. */
  endedMs: z.number().nullable(),
  /** Why the VPS left the alert: it recovered, was deleted, or is no longer selected. */
  ending: z.enum(['back', 'gone', 'unselected']).nullable(),
  worst: z.number().nullable(),
  latest: z.number().nullable(),
  unreadMs: z.number().nullable().default(null),
  /** Whether the VPS is unreadable because it's off. */
  isOff: z.boolean().optional(),
  state: z.string().nullable(),
  /** When the maintenance that mutes the VPS ends; `null` if it isn't muted. */
  mutedUntilMs: z.number().nullable().default(null),
});

export type AlertMember = z.infer<typeof alertMember>;

const byPerson = z.object({ userId: z.string(), atMs: z.number() });

/** How people responded to an alert, and which pings were sent. */
export const alertResponse = z.object({
  acknowledged: byPerson.nullable(),
  assignee: z.string().nullable(),
  /** When the message was first posted, with its ping. */
  postedMs: z.number().nullable(),
  /** Whether the message and its ping went to someone else as a direct message. */
  isPageLost: z.boolean().optional(),
  /** Whether the escalation recipient was pinged; `null` if not yet. */
  escalation: z.enum(['sent', 'failed']).nullable(),
});

export type AlertResponse = Readonly<z.infer<typeof alertResponse>>;

export const noResponse: AlertResponse = {
  acknowledged: null,
  assignee: null,
  postedMs: null,
  escalation: null,
};

/** An alert as shown in its message, with alerting and recovered VPS. */
export const alert = z.object({
  beganMs: z.number(),
  members: z.record(z.string(), alertMember),
  /** VPS that joined the alert but don't have a reply in the thread yet. */
  joined: z.array(z.string()),
  /** Whether the message is out of date. */
  isStale: z.boolean(),
  /** When the message was last updated. */
  shownMs: z.number().nullable(),
  response: alertResponse.default(noResponse),
  /** The uploaded chart of the watched figure, once there is one. */
  picture: z.object({ fileId: z.string(), altText: z.string() }).optional(),
});

export type Alert = z.infer<typeof alert>;

/** One VPS's alert state before and after a reading. */
export interface VpsTransition {
  readonly vps: string;
  readonly before: VpsAlertState;
  readonly after: VpsAlertState;
  /** Set if the watch no longer evaluates the VPS. */
  readonly exit?: 'gone' | 'unselected';
}

export function isAlertOpen({ members }: Alert): boolean {
  return Object.values(members).some(({ endedMs }) => endedMs === null);
}

/**
 * Advances an alert. The first alerting VPS opens it, others join, recovered ones leave. The alert ends when the last
 * VPS leaves.
 */
export function advanceAlert(
  before: Alert | undefined,
  transitions: readonly VpsTransition[],
  nowMs: number,
  mutedUntilMs: (vps: string) => number | undefined = () => undefined,
): Alert | undefined {
  const members = new Map(Object.entries(before?.members ?? {}));
  const joined: string[] = [];
  let isChanged = false;
  for (const transition of transitions) {
    const known = members.get(transition.vps);
    const next = nextMember(known, transition, nowMs);
    if (!next || next === known) continue;
    members.set(transition.vps, next);
    const wasIn = known !== undefined && known.endedMs === null;
    if (next.endedMs !== null) isChanged = true;
    else if (!wasIn) joined.push(transition.vps);
  }
  if (!before && joined.length === 0) return undefined;
  for (const [vps, member] of members) {
    const untilMs = member.endedMs === null ? (mutedUntilMs(vps) ?? null) : null;
    if (member.mutedUntilMs === untilMs) continue;
    members.set(vps, { ...member, mutedUntilMs: untilMs });
    isChanged = true;
  }
  const all = Object.fromEntries(members);
  if (!before)
    return { beganMs: nowMs, members: all, joined: [], isStale: true, shownMs: null, response: noResponse };
  return {
    ...before,
    members: all,
    joined: [...new Set([...before.joined, ...joined])],
    isStale: before.isStale || isChanged || joined.length > 0,
  };
}

/** Returns a VPS's entry in the alert after a transition, or undefined if it has none. */
function nextMember(
  known: AlertMember | undefined,
  { after, exit }: VpsTransition,
  nowMs: number,
): AlertMember | undefined {
  const { sinceMs, worst, latest, state, unreadMs } = after;
  if (after.isAlerting && sinceMs !== null)
    return {
      sinceMs,
      worst,
      latest,
      state,
      unreadMs,
      ...(after.unreadReason === 'off' && { isOff: true }),
      endedMs: null,
      ending: null,
      mutedUntilMs: known?.mutedUntilMs ?? null,
    };
  if (!known || known.endedMs !== null) return known;
  const ending = exit ?? 'back';
  const endedMs = ending === 'back' ? (after.backMs ?? nowMs) : nowMs;
  return { ...known, latest: latest ?? known.latest, state, endedMs, ending };
}
