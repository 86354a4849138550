import type { QuietWindow } from './quiet-hours.ts';
import { parseTimeOfDay } from './time-of-day.ts';
import { parseDays, weekdays } from './weekday.ts';

const maxWindows = 10;

/**
 * Parses quiet hours separated by commas or semicolons: `22:00-07:00`, `22:00-07:00 mon-fri`, or
 * `sat sun` for whole days. Returns an empty list for empty text, and undefined for invalid text.
 */
export function parseQuietHours(text: string): readonly QuietWindow[] | undefined {
  if (text.trim() === '') return [];
  const windows = text.split(/[,;]/).map((part) => parseWindow(part.trim()));
  const read = windows.flatMap((window) => window ?? []);
  return read.length === windows.length && read.length <= maxWindows ? read : undefined;
}

function parseWindow(text: string): QuietWindow | undefined {
  const span = /^(\d[\d:.]*)\s*(?:[-–—]|to|until)\s*(\d[\d:.]*)(.*)$/i.exec(text);
  if (!span) {
    const days = parseDays(text);
    return days && { from: '00:00', to: '00:00', days };
  }
  const [, first = '', last = '', rest = ''] = span;
  const from = parseTimeOfDay(first);
  const to = last === '24:00' ? '00:00' : parseTimeOfDay(last);
  const days = rest.trim() === '' ? weekdays : parseDays(rest);
  return from && to && days ? { from, to, days } : undefined;
}
