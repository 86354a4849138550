/** When and for whom a time is written. */
export interface Reading {
  /** The viewer's IANA time zone. */
  readonly timeZone: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** Around this age Slack's clients begin to write the year of a `{date}`: "less than six months". */
const nearMs = 182 * 86_400_000;

/**
 * Writes a time (seconds since 1970) into a template such as `{date_short_pretty} at {time}`, as Slack's clients do, its
 * first letter a capital one. `undefined` where the time is none or the template says nothing of it, so that the
 * fallback is shown. Tokens: docs.slack.dev/messaging/formatting-message-text#date-formatting and …/block-elements/date-element.
 */
export function formatDate(seconds: number, template: string, reading: Reading): string | undefined {
  const ms = seconds * 1000;
  if (Number.isNaN(new Date(ms).getTime())) return undefined;
  let isWritten = false;
  const written = template.replaceAll(/\{(\w+)\}/g, (token, name: string) => {
    const text = writtenAs(name, ms, reading);
    isWritten ||= text !== undefined;
    return text ?? token;
  });
  return isWritten ? written.charAt(0).toUpperCase() + written.slice(1) : undefined;
}

function writtenAs(name: string, ms: number, reading: Reading): string | undefined {
  if (!name.endsWith('_pretty')) return tokens[name]?.(ms, reading);
  const plain = name === 'day_divider_pretty' ? dayDivider : tokens[name.slice(0, -'_pretty'.length)];
  return plain && (nearDay(ms, reading) ?? plain(ms, reading));
}

type Token = (ms: number, reading: Reading) => string;

const tokens: Readonly<Record<string, Token>> = {
  date_num(ms, reading) {
    const { year, month, day } = dayParts(ms, reading);
    return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  },
  date_slash(ms, reading) {
    const { year, month, day } = dayParts(ms, reading);
    return `${two(day)}/${two(month)}/${String(year).padStart(4, '0')}`;
  },
  date: (ms, reading) => withYear(`${month(ms, reading, 'long')} ${ordinal(ms, reading)}`, ms, reading),
  date_short: (ms, reading) =>
    withYear(`${month(ms, reading, 'short')} ${dayParts(ms, reading).day}`, ms, reading),
  date_long: (ms, reading) => `${dateLongWithoutYear(ms, reading)}, ${dayParts(ms, reading).year}`,
  date_long_full: (ms, reading) => write(ms, reading, { dateStyle: 'long' }),
  time: (ms, reading) => write(ms, reading, { timeStyle: 'short' }),
  time_secs: (ms, reading) => write(ms, reading, { timeStyle: 'medium' }),
  ago,
};

function dayDivider(ms: number, reading: Reading): string {
  const isThisYear = dayParts(ms, reading).year === dayParts(reading.nowMs, reading).year;
  return isThisYear ? dateLongWithoutYear(ms, reading) : (tokens.date_long?.(ms, reading) ?? '');
}

function dateLongWithoutYear(ms: number, reading: Reading): string {
  return `${write(ms, reading, { weekday: 'long' })}, ${month(ms, reading, 'long')} ${ordinal(ms, reading)}`;
}

function withYear(text: string, ms: number, reading: Reading): string {
  return Math.abs(ms - reading.nowMs) < nearMs ? text : `${text}, ${dayParts(ms, reading).year}`;
}

function write(ms: number, { timeZone }: Reading, options: Intl.DateTimeFormatOptions): string {
  // Newer engines put a narrow no-break space before AM and PM, which Slack does not.
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone }).format(ms).replaceAll('\u202F', ' ');
}

function month(ms: number, reading: Reading, style: 'long' | 'short'): string {
  return write(ms, reading, { month: style });
}

/** The calendar day of a moment in the viewer's zone. */
function dayParts(ms: number, { timeZone }: Pick<Reading, 'timeZone'>) {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
    .formatToParts(ms)
    .map(({ type, value }) => [type, Number(value)]);
  const { year = 0, month = 0, day = 0 } = Object.fromEntries(parts);
  return { year, month, day };
}

const endings = new Map([
  ['one', 'st'],
  ['two', 'nd'],
  ['few', 'rd'],
]);

function ordinal(ms: number, reading: Reading): string {
  const { day } = dayParts(ms, reading);
  return `${day}${endings.get(new Intl.PluralRules('en', { type: 'ordinal' }).select(day)) ?? 'th'}`;
}

/** Says `today`, `yesterday` or `tomorrow` where it is one of them. */
function nearDay(ms: number, reading: Reading): string | undefined {
  const days = dayNumber(ms, reading) - dayNumber(reading.nowMs, reading);
  return { '-1': 'yesterday', '0': 'today', '1': 'tomorrow' }[String(days)];
}

function dayNumber(ms: number, reading: Reading): number {
  const { year, month, day } = dayParts(ms, reading);
  return Math.round(Date.UTC(year, month - 1, day) / 86_400_000);
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

function ago(ms: number, { nowMs }: Reading): string {
  const distance = ms - nowMs;
  const [unit, size] =
    units.find(([, length]) => Math.abs(distance) >= length) ?? (['second', 1000] as const);
  return new Intl.RelativeTimeFormat('en', { numeric: 'always' }).format(Math.trunc(distance / size), unit);
}

const two = (number: number) => String(number).padStart(2, '0');
