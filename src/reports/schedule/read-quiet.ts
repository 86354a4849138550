import type { QuietWindow } from './recurrence.ts';
import { readTimeOfDay } from './time-of-day.ts';
import { readDays, weekdays } from './weekday.ts';

const mostWindows = 10;

/**
 * Reads quiet times as people write them, separated by commas or semicolons: `22:00-07:00`, `22:00-07:00 mon-fri`, `sat sun` for whole days;
 * none for empty text, `undefined` for anything else.
 */
export function readQuiet(text: string): readonly QuietWindow[] | undefined {
  if (text.trim() === '') return [];
  const windows = text.split(/[,;]/).map((part) => readWindow(part.trim()));
  const read = windows.flatMap((window) => window ?? []);
  return read.length === windows.length && read.length <= mostWindows ? read : undefined;
}

function readWindow(text: string): QuietWindow | undefined {
  const span = /^(\d[\d:.]*)\s*(?:[-–—]|to|until)\s*(\d[\d:.]*)(.*)$/i.exec(text);
  if (!span) {
    const days = readDays(text);
    return days && { from: '00:00', to: '00:00', days };
  }
  const [, first = '', last = '', rest = ''] = span;
  const from = readTimeOfDay(first);
  const to = last === '24:00' ? '00:00' : readTimeOfDay(last);
  const days = rest.trim() === '' ? weekdays : readDays(rest);
  return from && to && days ? { from, to, days } : undefined;
}
