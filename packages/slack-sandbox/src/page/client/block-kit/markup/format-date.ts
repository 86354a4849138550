/** The time zone and current time that are used to format dates. */
export interface DateViewer {
  /** The viewer's IANA time zone. */
  readonly timeZone: string;
  /** The current time in epoch ms. */
  readonly nowMs: number;
}

/** Up to about this age, Slack's clients leave out the year of a `{date}`: "less than six months". */
const recentMs = 182 * 86_400_000;

/**
 * Formats a time (epoch seconds) with a template such as `{date_short_pretty} at {time}`. Like in
 * Slack's clients, the first letter is upper case. Returns undefined if the time is invalid or the
 * template has no token; then the fallback is shown. Tokens:
 * docs.slack.dev/messaging/formatting-message-text#date-formatting and
 * …/block-elements/date-element.
 */
export function formatDate(seconds: number, template: string, reading: DateViewer): string | undefined {
  const ms = seconds * 1000;
  if (Number.isNaN(new Date(ms).getTime())) return undefined;
  let isWritten = false;
  const written = template.replaceAll(/\{(\w+)\}/g, (token, name: string) => {
    const text = formatToken(name, ms, reading);
    isWritten ||= text !== undefined;
    return text ?? token;
  });
  return isWritten ? written.charAt(0).toUpperCase() + written.slice(1) : undefined;
}

function formatToken(name: string, ms: number, reading: DateViewer): string | undefined {
  if (!name.endsWith('_pretty')) return tokenFormatters[name]?.(ms, reading);
  const plain =
    name === 'day_divider_pretty' ? dayDivider : tokenFormatters[name.slice(0, -'_pretty'.length)];
  return plain && (formatRelativeDay(ms, reading) ?? plain(ms, reading));
}

type TokenFormatter = (ms: number, reading: DateViewer) => string;

const tokenFormatters: Readonly<Record<string, TokenFormatter>> = {
  date_num(ms, reading) {
    const { year, month, day } = dayParts(ms, reading);
    return `${String(year).padStart(4, '0')}-${padTwo(month)}-${padTwo(day)}`;
  },
  date_slash(ms, reading) {
    const { year, month, day } = dayParts(ms, reading);
    return `${padTwo(day)}/${padTwo(month)}/${String(year).padStart(4, '0')}`;
  },
  date: (ms, reading) => withYear(`${month(ms, reading, 'long')} ${formatOrdinal(ms, reading)}`, ms, reading),
  date_short: (ms, reading) =>
    withYear(`${month(ms, reading, 'short')} ${dayParts(ms, reading).day}`, ms, reading),
  date_long: (ms, reading) => `${dateLongWithoutYear(ms, reading)}, ${dayParts(ms, reading).year}`,
  date_long_full: (ms, reading) => formatInZone(ms, reading, { dateStyle: 'long' }),
  time: (ms, reading) => formatInZone(ms, reading, { timeStyle: 'short' }),
  time_secs: (ms, reading) => formatInZone(ms, reading, { timeStyle: 'medium' }),
  ago: formatAgo,
};

function dayDivider(ms: number, reading: DateViewer): string {
  const isThisYear = dayParts(ms, reading).year === dayParts(reading.nowMs, reading).year;
  return isThisYear ? dateLongWithoutYear(ms, reading) : (tokenFormatters.date_long?.(ms, reading) ?? '');
}

function dateLongWithoutYear(ms: number, reading: DateViewer): string {
  return `${formatInZone(ms, reading, { weekday: 'long' })}, ${month(ms, reading, 'long')} ${formatOrdinal(ms, reading)}`;
}

function withYear(text: string, ms: number, reading: DateViewer): string {
  return Math.abs(ms - reading.nowMs) < recentMs ? text : `${text}, ${dayParts(ms, reading).year}`;
}

function formatInZone(ms: number, { timeZone }: DateViewer, options: Intl.DateTimeFormatOptions): string {
  // Newer engines put a narrow no-break space before AM and PM. Slack doesn't.
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone }).format(ms).replaceAll('\u202F', ' ');
}

function month(ms: number, reading: DateViewer, style: 'long' | 'short'): string {
  return formatInZone(ms, reading, { month: style });
}

/** Returns the calendar day of a time in the viewer's time zone. */
function dayParts(ms: number, { timeZone }: Pick<DateViewer, 'timeZone'>) {
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

const ordinalSuffixes = new Map([
  ['one', 'st'],
  ['two', 'nd'],
  ['few', 'rd'],
]);

function formatOrdinal(ms: number, reading: DateViewer): string {
  const { day } = dayParts(ms, reading);
  return `${day}${ordinalSuffixes.get(new Intl.PluralRules('en', { type: 'ordinal' }).select(day)) ?? 'th'}`;
}

/** Returns `today`, `yesterday` or `tomorrow`, or undefined for other days. */
function formatRelativeDay(ms: number, reading: DateViewer): string | undefined {
  const days = dayNumber(ms, reading) - dayNumber(reading.nowMs, reading);
  return { '-1': 'yesterday', '0': 'today', '1': 'tomorrow' }[String(days)];
}

function dayNumber(ms: number, reading: DateViewer): number {
  const { year, month, day } = dayParts(ms, reading);
  return Math.round(Date.UTC(year, month - 1, day) / 86_400_000);
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

function formatAgo(ms: number, { nowMs }: DateViewer): string {
  const distance = ms - nowMs;
  const [unit, size] =
    units.find(([, length]) => Math.abs(distance) >= length) ?? (['second', 1000] as const);
  return new Intl.RelativeTimeFormat('en', { numeric: 'always' }).format(Math.trunc(distance / size), unit);
}

const padTwo = (number: number) => String(number).padStart(2, '0');
