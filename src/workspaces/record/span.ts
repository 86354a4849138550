import { z } from 'zod';

const unitMs: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 60 * 60_000,
  d: 24 * 60 * 60_000,
  w: 7 * 24 * 60 * 60_000,
};

const error = 'A time looks like 7d, 12h, 30m, 2w or 2026-11-01';

/** A moment as it is typed: how long ago (`7d`, `12h`, `30m`, `2w`), or a day, which begins in UTC. */
export const moment = z.union(
  [
    z
      .string()
      .trim()
      .regex(/^\d{1,4}[mhdw]$/i),
    z.string().trim().pipe(z.iso.date()),
  ],
  { error },
);

/** Gives the moment that is meant, in epoch ms. */
export function momentMs(typed: string, nowMs: number): number {
  const [, count, unit = ''] = /^(\d+)([mhdw])$/i.exec(typed) ?? [];
  return count === undefined ? Date.parse(typed) : nowMs - Number(count) * (unitMs[unit.toLowerCase()] ?? 0);
}
