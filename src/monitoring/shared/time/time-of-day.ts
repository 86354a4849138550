import { z } from 'zod';
import { minuteMs } from '../../../time/units.ts';

/** A time of day in the form `HH:MM`. */
export const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** Converts `HH:MM` to milliseconds after midnight. */
export function msAfterMidnight(timeOfDay: string): number {
  const [hours = 0, minutes = 0] = timeOfDay.split(':').map(Number);
  return (hours * 60 + minutes) * minuteMs;
}

/**
 * Parses a time of day (`9:05`, `09.05`, `0905`) and returns it as `HH:MM`. Returns undefined if it
 * is invalid.
 */
export function parseTimeOfDay(text: string): string | undefined {
  const match = /^(\d{1,2})[:.](\d{2})$/.exec(text.trim()) ?? /^(\d{2})(\d{2})$/.exec(text.trim());
  if (!match) return undefined;
  const [, hours = '', minutes = ''] = match;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return `${hours.padStart(2, '0')}:${minutes}`;
}
