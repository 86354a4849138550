import { z } from 'zod';
import { minuteMs } from './units.ts';

export const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** Converts `HH:MM` to milliseconds after midnight. */
export function msAfterMidnight(timeOfDay: string): number {
  const [hours = 0, minutes = 0] = timeOfDay.split(':').map(Number);
  return (hours * 60 + minutes) * minuteMs;
}

/** Parses a time of day (`9:05`, `09.05`, `0905`, `9 pm`) and returns it as `HH:MM`, or undefined if it is invalid. */
export function parseTimeOfDay(text: string): string | undefined {
  const [, digits = '', half] = /^([\d:.]+)\s?([ap]m)?$/i.exec(text.trim()) ?? [];
  const match =
    half === undefined ? withMinutes.exec(digits) : (withMinutes.exec(digits) ?? /^(\d{1,2})$/.exec(digits));
  if (!match) return undefined;
  const [, typedHours = '', shortMinutes, minutes = shortMinutes ?? '00'] = match;
  const hours =
    half === undefined ? Number(typedHours) : toHours(Number(typedHours), half.toLowerCase() === 'pm');
  if (hours === undefined || hours > 23 || Number(minutes) > 59) return undefined;
  return `${String(hours).padStart(2, '0')}:${minutes}`;
}

const withMinutes = /^(\d{1,2}(?=[:.])|\d{2}(?=\d{2}$))(?:[:.](\d{2})|(\d{2}))$/;

function toHours(typed: number, isAfternoon: boolean): number | undefined {
  if (typed < 1 || typed > 12) return undefined;
  return (typed % 12) + (isAfternoon ? 12 : 0);
}
