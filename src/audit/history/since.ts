import { z } from 'zod';

const msPerUnit: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 60 * 60_000,
  d: 24 * 60 * 60_000,
  w: 7 * 24 * 60 * 60_000,
};

const error = 'A time looks like 7d, 12h, 30m, 2w or 2026-11-01';

/** A start time as typed: an age (`7d`, `12h`, `30m`, `2w`), or a date, meaning its midnight UTC. */
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

/** Returns the start time in epoch ms. */
export function parseSince(typed: string, nowMs: number): number {
  const [, count, unit = ''] = /^(\d+)([mhdw])$/i.exec(typed) ?? [];
  return count === undefined
    ? Date.parse(typed)
    : nowMs - Number(count) * (msPerUnit[unit.toLowerCase()] ?? 0);
}
