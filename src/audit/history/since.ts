import { z } from 'zod';
import { createWallClock } from '../../time/wall-clock.ts';

const msPerUnit: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 60 * 60_000,
  d: 24 * 60 * 60_000,
  w: 7 * 24 * 60 * 60_000,
};

const error = 'A time looks like 7d, 12h, 30m, 2w or 2026-11-01';

/** A start time as typed: an age (`7d`, `12h`, `30m`, `2w`), or a date, meaning its first moment. */
export const sinceSchema = z.union(
  [
    z
      .string()
      .trim()
      .regex(/^\d{1,4}[mhdw]$/i),
    z.string().trim().pipe(z.iso.date()),
  ],
  { error },
);

/** Returns the start time in epoch ms. A date begins at midnight in the person's time zone. */
export function parseSince(typed: string, nowMs: number, zone: string): number {
  const [, count, unit = ''] = /^(\d+)([mhdw])$/i.exec(typed) ?? [];
  return count === undefined
    ? createWallClock(zone).firstMsAt(Date.parse(typed))
    : nowMs - Number(count) * (msPerUnit[unit.toLowerCase()] ?? 0);
}
