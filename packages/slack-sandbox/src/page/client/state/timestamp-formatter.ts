/** Formats message times in a person's time zone. */
export interface TimestampFormatter {
  /** Formats the time of day: `10:51 AM`. */
  time(ts: string): string;
  /** Formats a time in epoch ms with its seconds: `22:51:07`. */
  clock(atMs: number): string;
  /** Formats the complete date and time with the time zone. */
  full(ts: string): string;
  /** Formats the day as today, yesterday, or a date. `nowMs` is the current time. */
  day(ts: string, nowMs: number): string;
}

const dayMs = 86_400_000;

export function createTimestampFormatter(timeZone: string): TimestampFormatter {
  // Formatters are cached, because creating one costs much more than using it.
  const formatted = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat('en-US', { ...options, timeZone });
    return (ms: number) => format.format(new Date(ms));
  };
  const time = formatted({ timeStyle: 'short' });
  const clock = formatted({ timeStyle: 'medium', hourCycle: 'h23' });
  const full = formatted({ dateStyle: 'full', timeStyle: 'medium' });
  const date = formatted({ dateStyle: 'short' });
  const year = formatted({ year: 'numeric' });
  const day = formatted({ weekday: 'long', month: 'long', day: 'numeric' });
  const msOf = (ts: string) => Number(ts) * 1000;

  return {
    clock,
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
