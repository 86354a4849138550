import { Temporal } from 'temporal-polyfill';

/**
 * Converts between instants (epoch ms) and the wall clock of one time zone. A wall time is the
 * epoch ms at which a UTC clock shows that time.
 */
export interface WallClock {
  wallMsAt(atMs: number): number;
  /** Returns the first instant with this wall time, or undefined if a clock change skips it. */
  instantAt(wallMs: number): number | undefined;
  /** Returns the first instant with this wall time or, if a clock change skips it, the instant of the change. */
  firstMsAt(wallMs: number): number;
  /** Returns the instant of the next clock change, or undefined if there is none. */
  nextChangeMs(atMs: number): number | undefined;
}

/** Returns the wall clock of an IANA zone. Throws a RangeError for an unknown zone. */
export function createWallClock(timeZone: string): WallClock {
  const toZoned = (atMs: number, zone: string) =>
    Temporal.Instant.fromEpochMilliseconds(Math.floor(atMs)).toZonedDateTimeISO(zone);
  try {
    toZoned(0, timeZone);
  } catch (cause) {
    throw new RangeError(`There is no time zone ${timeZone}.`, { cause });
  }

  /** Finds the first instant with this wall time. If a clock change skips it, `earliest` is before the gap. */
  function findEarliest(wallMs: number) {
    const wallTime = toZoned(wallMs, 'UTC').toPlainDateTime();
    const earliest = wallTime.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
    return { earliest, isInGap: !earliest.toPlainDateTime().equals(wallTime) };
  }

  return {
    wallMsAt: (atMs) => Math.floor(atMs) + toZoned(atMs, timeZone).offsetNanoseconds / 1e6,
    instantAt(wallMs) {
      const { earliest, isInGap } = findEarliest(wallMs);
      return isInGap ? undefined : earliest.epochMilliseconds;
    },
    firstMsAt(wallMs) {
      const { earliest, isInGap } = findEarliest(wallMs);
      return ((isInGap && earliest.getTimeZoneTransition('next')) || earliest).epochMilliseconds;
    },
    nextChangeMs: (atMs) => toZoned(atMs, timeZone).getTimeZoneTransition('next')?.epochMilliseconds,
  };
}
