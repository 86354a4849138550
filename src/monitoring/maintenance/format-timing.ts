import { formatDayAndTime } from '../../time/format-wall-time.ts';
import { createWallClock } from '../../time/wall-clock.ts';
import { formatDays, weekdays } from '../shared/time/weekday.ts';
import type { Timing } from './timing.ts';

/** Formats the times of a window: `Every Saturday 02:00 to 04:00, Europe/Berlin`. */
export function formatTiming(timing: Timing): string {
  const { zone } = timing;
  if (timing.kind === 'once') {
    const { wallMsAt } = createWallClock(zone);
    return `Once, ${formatDayAndTime(wallMsAt(timing.fromMs))} to ${formatDayAndTime(wallMsAt(timing.untilMs))}, ${zone}`;
  }
  const days = timing.days.length === weekdays.length ? 'day' : formatDays(timing.days);
  const end = timing.to > timing.from ? timing.to : `${timing.to} of the next day`;
  return `Every ${days} ${timing.from} to ${end}, ${zone}`;
}
