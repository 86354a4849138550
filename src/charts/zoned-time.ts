/** Tells, in one zone, what a clock on the wall shows: as the instant at which a clock in UTC shows the same. */
export interface WallClock {
  wallMsAt(atMs: number): number;
  /** The instants at which the wall shows this: none in the gap of a clock change, the first where it shows it twice. */
  instantAt(wallMs: number): number | undefined;
  /** The same, but what lies in a gap is where the clock goes on: the first moment of a day that begins in one. */
  instantFrom(wallMs: number): number;
}

const hourMs = 3_600_000;

/** Creates the clock of a zone. Throws a RangeError if there is no such zone. */
export function createWallClock(timeZone: string): WallClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });

  function wallMsAt(atMs: number): number {
    const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of format.formatToParts(atMs)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }

  /** The instants that the offsets on both sides of a clock change nearby give, the earlier one first. */
  function candidates(wallMs: number): readonly [number, number] {
    const nearMs = wallMs - (wallMsAt(wallMs) - wallMs);
    const offsets = [-3 * hourMs, 3 * hourMs].map((asideMs) => {
      const atMs = Math.floor((nearMs + asideMs) / 1000) * 1000;
      return wallMsAt(atMs) - atMs;
    });
    return [wallMs - Math.max(...offsets), wallMs - Math.min(...offsets)];
  }

  return {
    wallMsAt,
    instantAt: (wallMs) => candidates(wallMs).find((atMs) => wallMsAt(atMs) === wallMs),
    instantFrom: (wallMs) => {
      const [first, second] = candidates(wallMs);
      return wallMsAt(first) === wallMs ? first : second;
    },
  };
}

const dayTimeFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const timeFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const weekdayFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short', day: 'numeric' });
const dateFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });

/** Writes what a wall shows as `14:05`. */
export function writeTime(wallMs: number): string {
  return timeFormat.format(wallMs);
}

/** Writes what a wall shows as `Sat 21`. */
export function writeWeekday(wallMs: number): string {
  const parts = weekdayFormat.formatToParts(wallMs);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('weekday')} ${part('day')}`;
}

/** Writes what a wall shows as `21 Nov`. */
export function writeDate(wallMs: number): string {
  return dateFormat.format(wallMs);
}

/** Writes what a wall shows as `21 Nov 14:05`. */
export function writeDayTime(wallMs: number): string {
  return dayTimeFormat.format(wallMs).replace(',', '');
}
