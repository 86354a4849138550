import { createWallClock } from '../../src/time/wall-clock.ts';

const quarterHourMs = 15 * 60_000;

/** A wall-clock time that is a multiple of 15 minutes. */
export interface WallTime {
  readonly month: number;
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly time: string;
  readonly isLastOfMonth: boolean;
}

/** By zone: what the wall clock shows at each time that was asked for. */
const shownTimes = new Map<string, Map<number, number>>();

/** Returns a wall clock that converts each time once, because several reports have the same zone. */
function rememberWallClock(zone: string): (atMs: number) => number {
  const { wallMsAt } = createWallClock(zone);
  const shown = shownTimes.get(zone) ?? new Map<number, number>();
  shownTimes.set(zone, shown);
  return (atMs) => {
    const known = shown.get(atMs) ?? wallMsAt(atMs);
    shown.set(atMs, known);
    return known;
  };
}

/**
 * Walks through time in steps of 15 minutes. All clock changes happen at such steps. Returns when
 * the wall clock first shows, or skips, a scheduled time.
 */
export function expectedTimes(
  zone: string,
  isScheduled: (wall: WallTime) => boolean,
  fromMs: number,
  untilMs: number,
): readonly number[] {
  const wallMsAt = rememberWallClock(zone);
  const moments: number[] = [];
  let shownMs = wallMsAt(fromMs);
  for (let atMs = fromMs + quarterHourMs; atMs <= untilMs; atMs += quarterHourMs) {
    let isDue = false;
    for (const nowShownMs = wallMsAt(atMs); shownMs < nowShownMs; ) {
      shownMs += quarterHourMs;
      isDue ||= isScheduled(toWallTime(shownMs));
    }
    if (isDue) moments.push(atMs);
  }
  return moments;
}

function toWallTime(wallMs: number): WallTime {
  const date = new Date(wallMs);
  const tomorrow = new Date(wallMs + 86_400_000);
  return {
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    time: date.toISOString().slice(11, 16),
    isLastOfMonth: tomorrow.getUTCDate() === 1,
  };
}
