import { createWallClock } from '../../charts/zoned-time.ts';
import { nearestName } from '../../operations/nearest-name.ts';

const secondMs = 1000;

/** Further than any zone is from UTC. */
const farthestOffsetMs = 16 * 60 * 60_000;

/** The clocks on the walls of a zone. What they show is given in ms since 1970 as if they hung in UTC. */
export interface Zone {
  wallMsAt(atMs: number): number;
  /**
   * Gives the first moment at which they show this, or more: the first of two where the clocks go back, and the end of the gap where they go
   * forward over it.
   */
  firstMsAt(wallMs: number): number;
}

/** Creates the clocks of an IANA zone. Throws `RangeError` for one that is unknown. */
export function createZone(name: string): Zone {
  const { wallMsAt } = createWallClock(name);
  const offsetAt = (atMs: number) => wallMsAt(atMs) - atMs;

  /** The first moment after a clock change that lies between the two. */
  function changeBetween(beforeMs: number, afterMs: number): number {
    const offset = offsetAt(afterMs);
    let [low, high] = [beforeMs, afterMs];
    while (high - low > secondMs) {
      const middle = low + Math.floor((high - low) / 2 / secondMs) * secondMs;
      if (offsetAt(middle) === offset) high = middle;
      else low = middle;
    }
    return high;
  }

  return {
    wallMsAt,
    firstMsAt(wallMs) {
      const offsets = [offsetAt(wallMs - farthestOffsetMs), offsetAt(wallMs + farthestOffsetMs)];
      const earlyMs = wallMs - Math.max(...offsets);
      const lateMs = wallMs - Math.min(...offsets);
      const shown = [earlyMs, lateMs].find((atMs) => wallMsAt(atMs) === wallMs);
      return shown ?? changeBetween(earlyMs, lateMs);
    },
  };
}

/** Reads the name of an IANA zone, in whatever case; `undefined` for one that is unknown here. An offset such as `+02:00` is none. */
export function readZone(written: string): string | undefined {
  if (!/^[A-Za-z]/.test(written)) return undefined;
  try {
    new Intl.DateTimeFormat('en', { timeZone: written });
  } catch {
    return undefined;
  }
  const isSame = (zone: string) => zone.toLowerCase() === written.toLowerCase();
  return ['UTC', ...Intl.supportedValuesOf('timeZone')].find(isSame) ?? written;
}

/** Gives the zone that was probably meant: `Berlin` and `Europe/Berln` mean `Europe/Berlin`. */
export function nearestZone(written: string): string | undefined {
  const zones = Intl.supportedValuesOf('timeZone');
  const word = written.trim().replaceAll(' ', '_').toLowerCase();
  const isPlace = (zone: string) => zone.toLowerCase().endsWith(`/${word}`);
  return zones.find(isPlace) ?? nearestName(written.trim(), zones);
}
