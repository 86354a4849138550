import { createWallClock } from '../../../src/charts/zoned-time.ts';

const quarterHourMs = 15 * 60_000;

/** What a wall shows, at a quarter of an hour. */
export interface Wall {
  readonly month: number;
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly time: string;
  readonly isLastOfMonth: boolean;
}

/**
 * Walks over time in quarters of an hour, by which all clocks change, and gives the moments at which the clock on the wall shows for the first time,
 * or leaps over, what is scheduled.
 */
export function momentsOf(
  zone: string,
  isScheduled: (wall: Wall) => boolean,
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
      isDue ||= isScheduled(wallOf(shownMs));
    }
    if (isDue) moments.push(atMs);
  }
  return moments;
}

function wallOf(wallMs: number): Wall {
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
