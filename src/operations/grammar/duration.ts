import { z } from 'zod';
import { formatDuration } from '../../charts/format/format-quantity.ts';
import { parseDurationMs } from '../../time/duration.ts';

/** Formats an estimate: "about 12 s" or "about 3 min". */
export function formatEstimate(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 90 ? `about ${seconds} s` : `about ${Math.round(seconds / 60)} min`;
}

/** Returns the schema for a typed duration within limits. The parsed value is in ms. */
export function durationSchema(minMs: number, maxMs: number): z.ZodType<number, string> {
  const error = `Give a duration from ${formatDuration(minMs)} to ${formatDuration(maxMs)}, such as 30m, 4h or 1d`;
  return z
    .string({ error })
    .trim()
    .transform((text) => parseDurationMs(text) ?? Number.NaN)
    .pipe(z.number({ error }).min(minMs, { error }).max(maxMs, { error }));
}
