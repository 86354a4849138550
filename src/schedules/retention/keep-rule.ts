import { z } from 'zod';
import { formatList } from '../../format-list.ts';

const maxCount = 400;

const count = z.int().min(0).max(maxCount);

/** How many of the latest hours, days, weeks, months and years keep their last snapshot. */
export const keepRule = z.object({
  hours: count,
  days: count,
  weeks: count,
  months: count,
  years: count,
});

export type KeepRule = Readonly<z.infer<typeof keepRule>>;

type Period = keyof KeepRule;

const letters: Readonly<Record<string, Period>> = {
  h: 'hours',
  d: 'days',
  w: 'weeks',
  m: 'months',
  y: 'years',
};

export const periods: readonly Period[] = ['hours', 'days', 'weeks', 'months', 'years'];

/** Parses a rule such as `7d,4w,6m`. Returns undefined if the rule is invalid or keeps nothing. */
export function parseKeepRule(text: string): KeepRule | undefined {
  const rule: Record<Period, number> = { hours: 0, days: 0, weeks: 0, months: 0, years: 0 };
  const seen = new Set<Period>();
  const words = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '');
  for (const word of words) {
    const [, digits = '', letter = ''] = /^(\d{1,3})([hdwmy])$/.exec(word) ?? [];
    const period = letters[letter];
    const amount = Number(digits);
    if (!period || seen.has(period) || amount < 1 || amount > maxCount) return undefined;
    seen.add(period);
    rule[period] = amount;
  }
  return seen.size > 0 ? rule : undefined;
}

/** Formats a rule as `parseKeepRule` accepts it. */
export function toKeepText(rule: KeepRule): string {
  return periods.flatMap((period) => (rule[period] > 0 ? [`${rule[period]}${period[0]}`] : [])).join(',');
}

/** Formats a rule: `The last snapshot of each of 7 days, 4 weeks and 6 months`. */
export function formatKeepRule(rule: KeepRule): string {
  const parts = periods.flatMap((period) => {
    const amount = rule[period];
    if (amount === 0) return [];
    return [`${amount} ${amount === 1 ? period.slice(0, -1) : period}`];
  });
  return `The last snapshot of each of ${formatList(parts, 'and')}`;
}
