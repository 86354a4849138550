import { formatDuration } from '../../charts/figures.ts';
import { createWallClock, writeDayTime, writeTime } from '../../charts/zoned-time.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Writes how long something lasted, in whole minutes and never longer than it was. */
export function writeLength(lengthMs: number): string {
  return formatDuration(Math.floor(lengthMs / minuteMs) * minuteMs);
}

/** Writes moments in a zone, without the day where that is plain. */
export interface Moments {
  at(atMs: number): string;
  /** `from 04:15 to 06:00` */
  range(fromMs: number, untilMs: number): string;
}

/** Creates what writes moments before the end of a period. Throws a RangeError if there is no such zone. */
export function createMoments(timeZone: string, endMs: number): Moments {
  const { wallMsAt } = createWallClock(timeZone);
  const write = (atMs: number, nearMs: number) =>
    (endMs - nearMs < dayMs ? writeTime : writeDayTime)(wallMsAt(atMs));
  return {
    at: (atMs) => write(atMs, atMs),
    range: (fromMs, untilMs) => `from ${write(fromMs, fromMs)} to ${write(untilMs, fromMs)}`,
  };
}

/** Joins words as a sentence does, and counts what there is no room for: "a, b and 3 more". */
export function listWords(words: readonly string[], most: number): string {
  const more = words.length - most;
  if (more > 0) return `${words.slice(0, most).join(', ')} and ${more} more`;
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ');
}
