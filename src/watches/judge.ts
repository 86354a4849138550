import type { LiveReading } from '../hosting/readings/live.ts';
import { backAt, type Condition, type Figured } from './condition.ts';

/**
 * What a reading says of a condition: it holds (`over`, which for `under` means below the threshold), it does not but by so little that nothing has ended
 * (`near`), it is well back, nothing could be read, or there is no such VPS any more.
 */
export type Verdict = 'over' | 'near' | 'back' | 'unread' | 'gone';

/** One look at one VPS. */
export interface Look {
  readonly atMs: number;
  readonly verdict: Verdict;
  readonly figure?: number;
  /** The service's own word. */
  readonly state?: string;
}

/** What was read of a VPS; `undefined` where that failed. */
export interface Seen {
  readonly atMs: number;
  readonly live?: LiveReading | undefined;
  readonly state?: string | undefined;
}

/** Judges what was read of a VPS by a condition. */
export function judge(watched: Condition, { atMs, live, state }: Seen): Look {
  if (watched.measure === 'state') {
    const word = state ?? live?.state;
    if (word === undefined) return { atMs, verdict: 'unread' };
    return { atMs, verdict: holds(watched, { state: word }) ? 'over' : 'back', state: word };
  }
  const figure = live && figureOf(watched, live);
  if (figure === undefined || !Number.isFinite(figure)) return { atMs, verdict: 'unread' };
  return { atMs, verdict: verdictOf(watched, figure), figure };
}

/** Tells whether a figure, or a state, is what a condition waits for; without one it is not known to be otherwise. */
export function holds(
  watched: Condition,
  { latest = null, state = null }: { readonly latest?: number | null; readonly state?: string | null },
): boolean {
  if (watched.measure === 'state')
    return state === null || (state.toLowerCase() === watched.state.toLowerCase()) === (watched.is === 'is');
  return latest === null || (watched.is === 'over' ? latest > watched.figure : latest < watched.figure);
}

function verdictOf(watched: Figured, figure: number): Verdict {
  if (holds(watched, { latest: figure })) return 'over';
  const back = backAt(watched);
  return (watched.is === 'over' ? figure <= back : figure >= back) ? 'back' : 'near';
}

function figureOf({ measure }: Figured, live: LiveReading): number | undefined {
  switch (measure) {
    case 'cpu':
      return live.cpuPercent;
    case 'memory':
      return live.memoryPercent;
    case 'disk':
      return live.diskPercent;
    case 'traffic': {
      const { networkInBytesPerS: inward, networkOutBytesPerS: outward } = live;
      if (inward === undefined && outward === undefined) return undefined;
      return (inward ?? 0) + (outward ?? 0);
    }
  }
}
