import { formatDuration } from '../../charts/format/format-quantity.ts';
import { formatList } from '../../format-list.ts';
import { formatDayAndTime, formatTime } from '../../time/format-wall-time.ts';
import { dayMs, minuteMs } from '../../time/units.ts';
import { createWallClock } from '../../time/wall-clock.ts';

/** Formats a duration in whole minutes, rounded down. */
export function formatElapsed(lengthMs: number): string {
  return formatDuration(Math.floor(lengthMs / minuteMs) * minuteMs);
}

/** Formats a duration like `formatElapsed`, but as "less than a minute" if shorter than that. */
export function formatShortDuration(lengthMs: number): string {
  return lengthMs < minuteMs ? 'less than a minute' : formatElapsed(lengthMs);
}

export function capitalize(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Formats times in a time zone, leaving out the day if it's obvious. */
export interface MomentFormatter {
  at(atMs: number): string;
  /** Formats a range as `from 04:15 to 06:00`, or as `at 04:15` if it's shorter than a minute. */
  range(fromMs: number, untilMs: number): string;
}

/** Creates a formatter for times before `endMs`. Throws a RangeError for an unknown time zone. */
export function createMomentFormatter(timeZone: string, endMs: number): MomentFormatter {
  const { wallMsAt } = createWallClock(timeZone);
  const write = (atMs: number, nearMs: number) =>
    (endMs - nearMs < dayMs ? formatTime : formatDayAndTime)(wallMsAt(atMs));
  return {
    at: (atMs) => write(atMs, atMs),
    range: (fromMs, untilMs) => {
      const [from, until] = [write(fromMs, fromMs), write(untilMs, fromMs)];
      if (from !== until) return `from ${from} to ${until}`;
      if (untilMs - fromMs < minuteMs) return `at ${from}`;
      const [longFrom, longUntil] = [wallMsAt(fromMs), wallMsAt(untilMs)].map(formatDayAndTime);
      // Ranges of about a day end at the time of day they began. If the clocks go back in between, even the day is the
      // same.
      return longFrom === longUntil
        ? `for ${formatElapsed(untilMs - fromMs)} from ${from}`
        : `from ${longFrom} to ${longUntil}`;
    },
  };
}

/** Joins items into a phrase. Items beyond `maxItems` are counted: `a, b and 3 more`. */
export function formatShortList(items: readonly string[], maxItems: number): string {
  const more = items.length - maxItems;
  if (more <= 0) return formatList(items, 'and');
  return `${items.slice(0, maxItems).join(', ')} and ${more} more`;
}
