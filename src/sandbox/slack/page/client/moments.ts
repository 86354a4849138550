/** Writes the moments of messages as a person reads them in their zone. */
export interface Moments {
  /** The time of day of a `ts`: `10:51 AM`. */
  time(ts: string): string;
  /** A `ts` in full, with its zone, for those who look closely. */
  full(ts: string): string;
  /** The day of a `ts` for those who read it at a moment: today, yesterday, or a date. */
  day(ts: string, nowMs: number): string;
}

const dayMs = 86_400_000;

export function createMoments(timeZone: string): Moments {
  // Making a format costs far more than using it.
  const formatted = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat('en-US', { ...options, timeZone });
    return (ms: number) => format.format(new Date(ms));
  };
  const time = formatted({ timeStyle: 'short' });
  const full = formatted({ dateStyle: 'full', timeStyle: 'medium' });
  const date = formatted({ dateStyle: 'short' });
  const year = formatted({ year: 'numeric' });
  const day = formatted({ weekday: 'long', month: 'long', day: 'numeric' });
  const msOf = (ts: string) => Number(ts) * 1000;

  return {
    time: (ts) => time(msOf(ts)),
    full: (ts) => `${full(msOf(ts))} (${timeZone})`,
    day(ts, nowMs) {
      const ms = msOf(ts);
      if (date(ms) === date(nowMs)) return 'Today';
      if (date(ms) === date(nowMs - dayMs)) return 'Yesterday';
      return year(ms) === year(nowMs) ? day(ms) : `${day(ms)}, ${year(ms)}`;
    },
  };
}
