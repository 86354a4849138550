import { createWallClock } from '../../../../src/time/wall-clock.ts';

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
  const { wallMsAt } = createWallClock(zone);
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
