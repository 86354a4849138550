import { formatDayAndTime, formatTime } from '../../time/format-wall-time.ts';
import { dayMs } from '../../time/units.ts';
import { createWallClock } from '../../time/wall-clock.ts';
import type { TimeSpan } from '../line.ts';

/** Formats a period with its zone: `20 Nov 06:00 – 18:00, Europe/Berlin`. Throws a RangeError for an unknown zone. */
export function formatPeriod({ fromMs, untilMs }: TimeSpan, timeZone: string): string {
  const { wallMsAt } = createWallClock(timeZone);
  const [from, until] = [wallMsAt(fromMs), wallMsAt(untilMs)];
  const isOneDay = Math.floor(from / dayMs) === Math.floor(until / dayMs);
  const end = isOneDay ? formatTime(until) : formatDayAndTime(until);
  return `${formatDayAndTime(from)}${fromMs === untilMs ? '' : ` – ${end}`}, ${timeZone}`;
}
