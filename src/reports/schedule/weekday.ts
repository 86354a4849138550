/** Days of the week in their order, as people type them. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export type Weekday = (typeof weekdays)[number];

const names: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

const shortestAbbreviation = 2;

/** Reads days as people write them (`mon thu`, `Monday, Thursday`, `mon-fri`, `sat–mon`), in the week's order; `undefined` for anything else. */
export function readDays(text: string): readonly Weekday[] | undefined {
  const spans = text
    .toLowerCase()
    .replace(/\s*[-–—]\s*/g, '-')
    .split(/[\s,]+|\band\b/)
    .filter((word) => word !== '')
    .map(readSpan);
  const days = spans.flatMap((span) => span ?? []);
  if (days.length === 0 || spans.includes(undefined)) return undefined;
  return weekdays.filter((day) => days.includes(day));
}

/** Reads `mon`, or `fri-mon` with the days between. */
function readSpan(text: string): readonly Weekday[] | undefined {
  const [first, last = first, ...more] = text.split('-').map(readDay);
  if (first === undefined || last === undefined || more.length > 0) return undefined;
  const from = weekdays.indexOf(first);
  const length = (weekdays.indexOf(last) - from + weekdays.length) % weekdays.length;
  return [...weekdays, ...weekdays].slice(from, from + length + 1);
}

function readDay(word: string): Weekday | undefined {
  if (word.length < shortestAbbreviation) return undefined;
  return weekdays.find((day) => `${names[day].toLowerCase()}s`.startsWith(word));
}

/** Gives the day of the week that a wall calendar shows, in ms since 1970 as if it hung in UTC. */
export function weekdayOf(wallMs: number): Weekday {
  const sundayFirst = new Date(wallMs).getUTCDay();
  return weekdays[(sundayFirst + 6) % 7] ?? 'mon';
}

/** Names days in words: `Monday, Tuesday and Thursday`, `Monday to Friday`. */
export function describeDays(days: readonly Weekday[]): string {
  const written = weekdays.filter((day) => days.includes(day));
  const [first, last] = [written[0], written.at(-1)];
  if (!first || !last) return '';
  const isUnbroken = weekdays.indexOf(last) - weekdays.indexOf(first) === written.length - 1;
  if (isUnbroken && written.length > 2) return `${names[first]} to ${names[last]}`;
  if (first === last) return names[first];
  const before = written.slice(0, -1).map((day) => names[day]);
  return `${before.join(', ')} and ${names[last]}`;
}
