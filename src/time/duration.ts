import { dayMs, hourMs, minuteMs, weekMs } from './units.ts';

const amount = /(\d+(?:\.\d+)?)\s*([a-z]+)/gi;

const units: readonly (readonly [name: RegExp, ms: number])[] = [
  [/^(s|secs?|seconds?)$/i, 1_000],
  [/^(m|mins?|minutes?)$/i, minuteMs],
  [/^(h|hrs?|hours?)$/i, hourMs],
  [/^(d|days?)$/i, dayMs],
  [/^(w|weeks?)$/i, weekMs],
];

/**
 * Parses a duration (`90m`, `1d`, `1 h 30 min`) to ms. Returns undefined for other text, including a number
 * without a unit.
 */
export function parseDurationMs(text: string): number | undefined {
  const parts = [...text.matchAll(amount)].map(([, count, word = '']) => {
    const ms = units.find(([name]) => name.test(word))?.[1];
    return ms === undefined ? Number.NaN : Number(count) * ms;
  });
  const isWhole = text.replace(amount, '').replace(/and|[\s,]/g, '') === '';
  const total = Math.round(parts.reduce((sum, part) => sum + part, 0));
  return isWhole && parts.length > 0 && Number.isFinite(total) ? total : undefined;
}

/** Formats a duration in a form that `parseDurationMs` accepts: `1h 30m`. */
export function toDurationText(ms: number): string {
  const [days, hours, minutes] = [
    Math.floor(ms / dayMs),
    Math.floor((ms % dayMs) / hourMs),
    Math.floor((ms % hourMs) / minuteMs),
  ];
  const seconds = Math.round((ms % minuteMs) / 1_000);
  const parts = [
    [days, 'd'],
    [hours, 'h'],
    [minutes, 'm'],
    [seconds, 's'],
  ] as const;
  const text = parts.flatMap(([count, unit]) => (count > 0 ? [`${count}${unit}`] : [])).join(' ');
  return text || '0m';
}
