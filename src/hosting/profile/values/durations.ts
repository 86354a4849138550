import { parseNumber, parseQuantity } from './numbers.ts';

const secondsPerUnit: readonly (readonly [unit: RegExp, seconds: number])[] = [
  [/^(ms|msecs?|millis|milliseconds?)$/i, 0.001],
  [/^(s|secs?|seconds?)$/i, 1],
  [/^(m|mins?|minutes?)$/i, 60],
  [/^(h|hrs?|hours?)$/i, 3_600],
  [/^(d|days?)$/i, 86_400],
  [/^(w|weeks?)$/i, 604_800],
];

const amountPattern = /(\d+(?:\.\d+)?)\s*([a-z]+)/gi;
const clockPattern = /(?:^|\s)(\d+):(\d{2})(?::(\d{2}))?$/;
/** Twenty years. A longer uptime is the time of the start, or counts something else. */
export const maxUptimeS = 20 * 365 * 86_400;

/** Longer text isn't a duration. */
const maxLength = 60;

/**
 * Parses a duration to seconds. Accepts a number of `unit`, `"3 days"`, `"3d 4h"` and `"3 days,
 * 04:05:06"`.
 */
export function parseSeconds(value: unknown, unit = 's'): number | undefined {
  const number = parseNumber(value);
  if (number !== undefined) return number < 0 ? undefined : convertToSeconds(number, unit);
  const quantity = parseQuantity(value);
  if (quantity?.unit !== undefined) {
    const seconds = convertToSeconds(quantity.value, quantity.unit);
    if (seconds !== undefined) return seconds;
  }
  return typeof value === 'string' && value.length <= maxLength ? parseSecondsText(value.trim()) : undefined;
}

function parseSecondsText(text: string): number | undefined {
  const [time, hours, minutes, seconds = '0'] = clockPattern.exec(text) ?? [];
  const words = time === undefined ? text : text.slice(0, -time.length);
  const parts = [...words.matchAll(amountPattern)].map(([, count, unit]) =>
    convertToSeconds(Number(count), unit ?? ''),
  );
  const isWhole = words.replace(amountPattern, '').replace(/and|[\s,]/g, '') === '';
  if (!isWhole || (parts.length === 0 && time === undefined)) return undefined;
  const clockS = time === undefined ? 0 : Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return parts.reduce<number | undefined>(
    (sum, seconds) => (sum === undefined || seconds === undefined ? undefined : sum + seconds),
    clockS,
  );
}

function convertToSeconds(count: number, unit: string): number | undefined {
  const seconds = secondsPerUnit.find(([pattern]) => pattern.test(unit))?.[1];
  return seconds === undefined ? undefined : count * seconds;
}
