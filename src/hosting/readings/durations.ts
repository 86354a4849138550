import { numberOf, quantityOf } from './numbers.ts';

const secondsPerUnit: readonly (readonly [unit: RegExp, seconds: number])[] = [
  [/^(ms|msecs?|millis|milliseconds?)$/i, 0.001],
  [/^(s|secs?|seconds?)$/i, 1],
  [/^(m|mins?|minutes?)$/i, 60],
  [/^(h|hrs?|hours?)$/i, 3_600],
  [/^(d|days?)$/i, 86_400],
  [/^(w|weeks?)$/i, 604_800],
];

const part = /(\d+(?:\.\d+)?)\s*([a-z]+)/gi;
const clock = /(?:^|\s)(\d+):(\d{2})(?::(\d{2}))?$/;
/** Longer texts are no durations. */
const mostChars = 60;

/** Reads a duration in seconds: a number of the unit in its name or of seconds, `"3 days"`, `"3d 4h"`, `"3 days, 04:05:06"`. */
export function secondsOf(value: unknown, unit = 's'): number | undefined {
  const number = numberOf(value);
  if (number !== undefined) return number < 0 ? undefined : scaled(number, unit);
  const quantity = quantityOf(value);
  if (quantity?.unit !== undefined) {
    const seconds = scaled(quantity.value, quantity.unit);
    if (seconds !== undefined) return seconds;
  }
  return typeof value === 'string' && value.length <= mostChars ? secondsInText(value.trim()) : undefined;
}

function secondsInText(text: string): number | undefined {
  const [time, hours, minutes, seconds = '0'] = clock.exec(text) ?? [];
  const words = time === undefined ? text : text.slice(0, -time.length);
  const parts = [...words.matchAll(part)].map(([, count, unit]) => scaled(Number(count), unit ?? ''));
  const isWhole = words.replace(part, '').replace(/and|[\s,]/g, '') === '';
  if (!isWhole || (parts.length === 0 && time === undefined)) return undefined;
  const clockS = time === undefined ? 0 : Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return parts.reduce<number | undefined>(
    (sum, seconds) => (sum === undefined || seconds === undefined ? undefined : sum + seconds),
    clockS,
  );
}

function scaled(count: number, unit: string): number | undefined {
  const seconds = secondsPerUnit.find(([pattern]) => pattern.test(unit))?.[1];
  return seconds === undefined ? undefined : count * seconds;
}
