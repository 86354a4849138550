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
    const isIt = word.toLowerCase() === watched.state.toLowerCase();
    return { atMs, verdict: isIt === (watched.is === 'is') ? 'over' : 'back', state: word };
  }
  const figure = live && figureOf(watched, live);
  if (figure === undefined || !Number.isFinite(figure)) return { atMs, verdict: 'unread' };
  return { atMs, verdict: verdictOf(watched, figure), figure };
}

function verdictOf(watched: Figured, figure: number): Verdict {
  const isOver = watched.is === 'over';
  if (isOver ? figure > watched.figure : figure < watched.figure) return 'over';
  const back = backAt(watched);
  return (isOver ? figure <= back : figure >= back) ? 'back' : 'near';
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
