import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMrkdwn, type Span } from '../../../src/mrkdwn/parse-mrkdwn.ts';
import {
  formatZonedTime,
  parseZonedTime,
} from '../../../src/page/client/block-kit/elements/date-time/zoned-time.ts';
import {
  formatRichText,
  parseRichText,
} from '../../../src/page/client/block-kit/elements/text/rich-text-markup.ts';
import { formatDate } from '../../../src/page/client/block-kit/markup/format-date.ts';

/** Formats spans as `[kind words]`, so that a result fits on a line. */
function formatSpans(spans: readonly Span[]): string {
  return spans.map(formatSpan).join('');
}

function formatSpan(span: Span): string {
  switch (span.kind) {
    case 'text':
      return span.text;
    case 'styled':
      return `[${span.style} ${formatSpans(span.children)}]`;
    case 'code':
      return `[code ${span.text}]`;
    case 'link':
      return `[link ${span.url} ${span.label}]`;
    case 'date':
      return `[date ${span.seconds} ${span.format} ${span.url} ${span.fallback}]`;
    case 'broadcast':
      return `[all ${span.range}]`;
    default:
      return `[${span.kind} ${span.id} ${span.label}]`;
  }
}

function read(text: string, options?: { verbatim: boolean }): string[] {
  return parseMrkdwn(text, options).map((part) =>
    part.kind === 'preformatted'
      ? `pre: ${formatSpans(part.spans)}`
      : `${part.kind}: ${part.lines.map(formatSpans).join(' / ')}`,
  );
}

describe('mrkdwn', () => {
  test.each([
    ['*bold* _italic_ ~struck~ `code`', 'lines: [bold bold] [italic italic] [strike struck] [code code]'],
    ['2*3*4 and snake_case_name', 'lines: 2*3*4 and snake_case_name'],
    ['* not bold* and *not bold *', 'lines: * not bold* and *not bold *'],
    ['*bold with <https://example.com|a link>*', 'lines: [bold bold with [link https://example.com a link]]'],
    ['*bold _and italic_*, _so_', 'lines: [bold bold [italic and italic]], [italic so]'],
    ['(*bold*), "_so_"!', 'lines: ([bold bold]), "[italic so]"!'],
    ['*one* *two', 'lines: [bold one] *two'],
    ['*across\nlines*', 'lines: *across / lines*'],
    ['`a *b* <@U1>` *c `*` d*', 'lines: [code a *b* <@U1>] [bold c [code *] d]'],
    [
      '<@U1> in <#C1|ops> by <@U2|bob> <!subteam^S1|@on-call>',
      'lines: [user U1 ] in [channel C1 ops] by [user U2 bob] [group S1 @on-call]',
    ],
    ['<!here> <!channel|channel> <!everyone>', 'lines: [all here] [all channel] [all everyone]'],
    [
      '<mailto:a@example.com|a@example.com> <mailto:b@example.com>',
      'lines: [link mailto:a@example.com a@example.com] [link mailto:b@example.com b@example.com]',
    ],
    [
      '<!date^1700000000^{date_num} {time}^https://example.com|then>',
      'lines: [date 1700000000 {date_num} {time} https://example.com then]',
    ],
    ['&lt;b&gt; &amp;amp; 3 < 4 > 2', 'lines: <b> &amp; 3 < 4 > 2'],
    [
      'see https://example.com/a_b_c?d=1&amp;e=2. And (http://example.com)',
      'lines: see [link https://example.com/a_b_c?d=1&e=2 https://example.com/a_b_c?d=1&e=2]. And ([link http://example.com http://example.com])',
    ],
    ['xhttps://example.com', 'lines: xhttps://example.com'],
    ['• one\n• two', 'lines: • one / • two'],
  ])('%j is parsed as in Slack', (text, expected) => {
    expect(read(text)).toEqual([expected]);
  });

  test('verbatim text has no automatic links', () => {
    expect(read('see https://example.com', { verbatim: true })).toEqual(['lines: see https://example.com']);
  });

  test.each([
    ['&gt; one\n> two\nthree', ['quote: one / two', 'lines: three']],
    ['one\n&gt;&gt;&gt; two\n\nthree', ['lines: one', 'quote: two /  / three']],
    [
      'one\n```\na <https://example.com|*b*>\n```\ntwo',
      ['lines: one', 'pre: a [link https://example.com *b*]', 'lines: two'],
    ],
    ['```one``` ```two```', ['pre: one', 'lines:  ', 'pre: two']],
    ['``` open', ['lines: ``` open']],
  ])('%j has the expected parts', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test('no text is lost or slow to parse, whatever its markup', () => {
    const pieces = fc.constantFrom(...'< > | ` * _ ~ & <@U1> ``` &gt; word'.split(' '), ' ', '\n');
    const wordsIn = (text: string) => text.match(/word/g)?.length ?? 0;
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (some) => {
        expect(wordsIn(read(some.join('')).join(''))).toBe(wordsIn(some.join('')));
      }),
    );
    const before = process.cpuUsage();
    for (const mark of ['*a ', '`', '<', '_*~', 'https://', '*_a_ ']) read(mark.repeat(10_000));
    // CPU time doesn't depend on other load. A quadratic parser would need minutes.
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});

describe('a date', () => {
  const reading = { timeZone: 'Europe/Berlin', nowMs: Date.UTC(2026, 10, 21, 12) };
  const at = (...parts: [number, number, number, number, number]) => Date.UTC(...parts) / 1000;

  test.each([
    ['{date_num}', '2014-02-18'],
    ['{date_slash}', '18/02/2014'],
    ['{date}', 'February 18th, 2014'],
    ['{date_short}', 'Feb 18, 2014'],
    ['{date_long}', 'Tuesday, February 18th, 2014'],
    ['{date_long_full}', 'February 18, 2014'],
    ['{date_pretty}', 'February 18th, 2014'],
    ['{day_divider_pretty}', 'Tuesday, February 18th, 2014'],
    ['{time}', '3:39 PM'],
    ['{time_secs}', '3:39:42 PM'],
    ['{ago}', '4,658 days ago'],
    ['on {date_num} at {time}', 'On 2014-02-18 at 3:39 PM'],
    ['{date_num} {unknown}', '2014-02-18 {unknown}'],
  ])('%s is formatted for the viewer', (format, expected) => {
    expect(formatDate(at(2014, 1, 18, 14, 39) + 42, format, reading)).toBe(expected);
  });

  test.each([
    ['{date_pretty} at {time}', at(2026, 10, 21, 0, 30), 'Today at 1:30 AM'],
    ['{date_short_pretty}', at(2026, 10, 20, 22, 59), 'Yesterday'],
    ['{date_short_pretty}', at(2026, 10, 20, 23, 1), 'Today'],
    ['{date_long_pretty}', at(2026, 10, 22, 10, 0), 'Tomorrow'],
    ['{day_divider_pretty}', at(2026, 0, 3, 10, 0), 'Saturday, January 3rd'],
    ['{date}', at(2026, 9, 2, 10, 0), 'October 2nd'],
    ['{date_short}', at(2026, 9, 2, 10, 0), 'Oct 2'],
    ['{ago}', at(2026, 10, 21, 9, 0), '3 hours ago'],
  ])('%s near today is short', (format, seconds, expected) => {
    expect(formatDate(seconds, format, reading)).toBe(expected);
  });

  test('that is invalid or without a format shows its fallback', () => {
    expect(formatDate(Number.NaN, '{date}', reading)).toBeUndefined();
    expect(formatDate(1e15, '{date}', reading)).toBeUndefined();
    expect(formatDate(0, 'then', reading)).toBeUndefined();
  });
});

test('a time is shown in its own zone', () => {
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia');
  const minutes = fc.integer({ min: 0, max: 33_000_000 });
  fc.assert(
    fc.property(zones, minutes, (zone, minute) => {
      const seconds = minute * 60;
      const clock = formatZonedTime(seconds, zone);
      expect(formatZonedTime(parseZonedTime(clock, zone) ?? 0, zone)).toBe(clock);
    }),
  );
  expect(parseZonedTime('2026-03-29T02:30', 'Europe/Berlin')).toBe(Date.UTC(2026, 2, 29, 1, 30) / 1000);
  expect(parseZonedTime('2026-10-25T02:30', 'Europe/Berlin')).toBe(Date.UTC(2026, 9, 25, 0, 30) / 1000);
  expect(parseZonedTime('', 'UTC')).toBeUndefined();
});

test('text with markup is restored unchanged', () => {
  const word = fc.constantFrom('plain', '*bold*', '_italic_', '~struck~', '`code`', '<b>', '&amp;');
  const line = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
  const lines = fc.array(fc.tuple(fc.constantFrom('', '- ', '> '), line), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(lines, (all) => {
      const text = all.map(([mark, words]) => mark + words).join('\n');
      expect(formatRichText(parseRichText(text))).toBe(text);
    }),
  );
  const whole = '*a _b_*\n1. one\n2. two\n```\n$ ls\n  *no*\n```\nend';
  expect(formatRichText(parseRichText(whole))).toBe(whole);
});
