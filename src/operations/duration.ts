import { z } from 'zod';
import { formatDuration } from '../charts/figures.ts';
import { secondsOf } from '../hosting/readings/durations.ts';

/** Writes an estimate as "about 12 s" or "about 3 min". */
export function aboutTime(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 90 ? `about ${seconds} s` : `about ${Math.round(seconds / 60)} min`;
}

/** Reads how long something is to last, as people write it (`90m`, `1d`, `1 h 30 min`), in ms; a number without its unit is nothing. */
export function readDurationMs(text: string): number | undefined {
  if (!/[a-z]/i.test(text)) return undefined;
  const seconds = secondsOf(text);
  return seconds === undefined ? undefined : Math.round(seconds * 1_000);
}

/** Takes how long something is to last, from `leastMs` to `mostMs`, and gives ms. */
export function durationSchema(leastMs: number, mostMs: number): z.ZodType<number, string> {
  const error = `Say how long, from ${formatDuration(leastMs)} to ${formatDuration(mostMs)}, as in 30m, 4h or 1d`;
  return z
    .string({ error })
    .trim()
    .transform((text) => readDurationMs(text) ?? Number.NaN)
    .pipe(z.number({ error }).min(leastMs, { error }).max(mostMs, { error }));
}
