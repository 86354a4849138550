import type { TimeSpan } from './lines.ts';
import { createWallClock, writeDayTime, writeTime } from './zoned-time.ts';

const dayMs = 86_400_000;

/** Writes a period with its zone, and a day only once: `20 Nov 06:00 – 18:00, Europe/Berlin`. Throws a RangeError if there is no such zone. */
export function writePeriod({ fromMs, untilMs }: TimeSpan, timeZone: string): string {
  const { wallMsAt } = createWallClock(timeZone);
  const [from, until] = [wallMsAt(fromMs), wallMsAt(untilMs)];
  const isOneDay = Math.floor(from / dayMs) === Math.floor(until / dayMs);
  const end = isOneDay ? writeTime(until) : writeDayTime(until);
  return `${writeDayTime(from)}${fromMs === untilMs ? '' : ` – ${end}`}, ${timeZone}`;
}
