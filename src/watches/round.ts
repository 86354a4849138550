import { fitsOneOf } from '../workspaces/rights/patterns.ts';
import { advance, type Course, calm, isWorthKeeping } from './course.ts';
import { follow, type Step } from './incident.ts';
import { judge, type Look, type Seen } from './judge.ts';
import type { Fleet } from './look.ts';
import type { Standing, Watch } from './watch.ts';

/** Under which a watch keeps that the list of VPS could not be read: no VPS is called so. */
export const listCourse = '*';

/** Readings that may fail in a row before a run counts as broken: nobody knows what was meanwhile. */
const readingsToBreak = 3;

/** What one round has seen. */
export interface Sight {
  /** Nothing where the list could not be read. */
  readonly fleet: Fleet | undefined;
  /** The VPS whose turn it was. */
  readonly seen: ReadonlyMap<string, Seen>;
  readonly nowMs: number;
  /** How often each VPS is read, and how often the list is. */
  readonly everyMs: number;
  readonly roundMs: number;
  readonly isMuted: (vps: string) => boolean;
}

/** Goes on with a watch by what a round has seen; the same standing where nothing has changed. */
export function goOn(watch: Watch, sight: Sight): Standing {
  const { condition, standing } = watch;
  const { nowMs, everyMs, roundMs, isMuted } = sight;
  const known = new Map(Object.entries(standing.courses));
  const looks = looksAt(watch, sight, [...known.keys()]);
  const rules = {
    forMs: condition.forMs,
    isLowWorse: condition.is === 'under',
    gapMs: readingsToBreak * (condition.measure === 'state' ? roundMs : everyMs),
  };
  const steps = [...looks].map(([vps, look]): Step => {
    const before = known.get(vps) ?? calm;
    const after = advance(before, look, { ...rules, isMuted: isMuted(vps) });
    return { vps, before, after, isGone: look.verdict === 'gone' };
  });
  // What was muted while it was not its turn to be read leaves the message all the same.
  for (const [vps, before] of known) {
    if (looks.has(vps) || !before.isOver || !isMuted(vps)) continue;
    steps.push({ vps, before, after: { ...before, isOver: false }, isGone: false });
  }
  for (const { vps, after } of steps) known.set(vps, after);
  return {
    ...standing,
    courses: Object.fromEntries(sortedCourses(known)),
    incident: follow(standing.incident ?? undefined, steps, nowMs) ?? null,
  };
}

/** Judges every VPS of a watch of which this round can tell anything; `known` are those of which something is kept. */
function looksAt(
  { vps: pattern, condition }: Watch,
  { fleet, seen, nowMs }: Sight,
  known: readonly string[],
): ReadonlyMap<string, Look> {
  const looks = new Map<string, Look>();
  looks.set(listCourse, { atMs: nowMs, verdict: fleet ? 'back' : 'unread' });
  if (!fleet) return looks;
  for (const [name, state] of fleet.states) {
    if (!fitsOneOf(pattern, name)) continue;
    const isTold = condition.measure === 'state' && state !== undefined;
    const one = isTold ? { atMs: nowMs, state } : seen.get(name);
    if (one) looks.set(name, judge(condition, one));
  }
  for (const name of known) {
    const isThere = name === listCourse || fleet.states.has(name);
    if (!isThere) looks.set(name, { atMs: nowMs, verdict: fleet.mayHaveMore ? 'unread' : 'gone' });
  }
  return looks;
}

function sortedCourses(courses: ReadonlyMap<string, Course>): readonly (readonly [string, Course])[] {
  return [...courses].filter(([, course]) => isWorthKeeping(course)).sort(([a], [b]) => (a < b ? -1 : 1));
}
