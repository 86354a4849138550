import { describe, expect, test } from 'vitest';
import { formatWhen } from '../../src/time/format-when.ts';
import { parseWhen, splitWhen, toWhenText } from '../../src/time/parse-when.ts';
import type { When } from '../../src/time/when.ts';
import { nowMs, phrases, toMeaning, zone } from './phrases.ts';

function parse(text: string, isPeriod: boolean, atMs = nowMs): When | string {
  const parsed = parseWhen(text, { zone, nowMs: atMs, isPeriod });
  return parsed.kind === 'valid' ? parsed.when : parsed.message;
}

// Reports and schedules take a point in time, maintenance a period that begins then.
describe.each([
  ['a point in time', false, ''],
  ['a period', true, ' for 20m'],
])('%s', (_, isPeriod, end) => {
  test.each(phrases)('%s is %s', (text, meaning) => {
    const parsed = parse(`${text}${end}`, isPeriod);
    if (typeof parsed === 'string') throw new Error(parsed);
    expect(toMeaning(parsed)).toBe(meaning);
    expect(parsed.ends).toEqual(isPeriod ? { afterMs: 20 * 60_000 } : undefined);
    // What is stored as text means the same later.
    expect(parse(toWhenText(parsed), isPeriod)).toEqual(parsed);
  });

  test.each([
    ['2027-02-30 03:00', 'There is no 2027-02-30'],
    ['today 10:00', `That time has passed. Say "tomorrow 10:00${end}`],
    ['this wed 10:00', 'That time has passed'],
    ['2026-11-01 10:00', 'That time has passed'],
    ['tonight 09:00', 'Tonight is from 18:00 to 06:00'],
    ['2028-12-01 03:00', 'within the next year'],
    ['sat 25:00', '"25:00" isn\'t a time of day'],
    ['mon thu 03:00', `say every mon thu 03:00${end}`],
    ['fortnightly 03:00', 'such as every sat 03:00'],
    ['every blue 03:00', '"blue" isn\'t a day of the week'],
    ['monthly 32 03:00', '"32" isn\'t a day of the month'],
    ['every monday', 'such as every monday 09:00'],
    ['nightly', 'such as nightly 03:00'],
    ['weekly', 'such as weekly mon 09:00'],
    ['every 10 min', 'The shortest interval is 15 minutes'],
    ['cron */2 * * * *', 'The shortest interval is 15 minutes'],
    ['every 45 min', 'must divide the hour or the day'],
    ['cron 0 9 30 2 *', 'this would never happen'],
    ['cron 0 9 * *', 'has five parts (minute, hour, day, month, weekday), not 4'],
    ['cron 0 24 * * *', '"24" isn\'t a valid hour'],
    ['@reboot', "isn't a cron expression"],
    ['whenever', 'Give one such as'],
  ])('%s is refused: %s', (text, message) => {
    expect(parse(`${text}${end}`, isPeriod)).toContain(message);
  });
});

test.each([
  ['now', 'in 2h or tomorrow 03:00'],
  ['sat 02:00-04:00', "can't have an end"],
  ['', 'Say when, such as'],
])('"%s" is no point in time: %s', (text, message) => {
  expect(parse(text, false)).toContain(message);
});

describe('the end of a period', () => {
  test.each([
    ['sat 02:00-04:00', 'Once, 28 Nov 02:00 to 28 Nov 04:00, Europe/Berlin'],
    ['02:00 until 4:00 sat', 'Once, 28 Nov 02:00 to 28 Nov 04:00, Europe/Berlin'],
    ['tomorrow 22:00-24:00', 'Once, 26 Nov 22:00 to 27 Nov 00:00, Europe/Berlin'],
    ['now for 2h', 'Once, 25 Nov 11:00 to 25 Nov 13:00, Europe/Berlin'],
    ['for 90m', 'Once, 25 Nov 11:00 to 25 Nov 12:30, Europe/Berlin'],
    ['now until 14:00', 'Once, 25 Nov 11:00 to 25 Nov 14:00, Europe/Berlin'],
    ['every sat sun 23:00-01:00', 'Every Saturday and Sunday 23:00 to 01:00 of the next day, Europe/Berlin'],
    ['cron 0 3 * * * until 04:00', 'By cron expression 0 3 * * * until 04:00, Europe/Berlin'],
    ['0 3 * * 1-5-04:00', 'By cron expression 0 3 * * 1-5 until 04:00, Europe/Berlin'],
    ['daily 02:00 for 90m', 'Every day at 02:00 for 1h 30m, Europe/Berlin'],
    // Two hours that pass, whatever the clocks do.
    ['2027-03-28 01:30 for 2h', 'Once, 28 Mar 01:30 to 28 Mar 04:30, Europe/Berlin'],
    ['2027-10-31 01:30 for 2h', 'Once, 31 Oct 01:30 to 31 Oct 02:30, Europe/Berlin'],
    ['2027-03-28 01:30-03:30', 'Once, 28 Mar 01:30 to 28 Mar 03:30, Europe/Berlin'],
  ])('%s', (text, expected) => {
    const parsed = parse(text, true);
    if (typeof parsed === 'string') throw new Error(parsed);
    expect(formatWhen(parsed)).toBe(expected);
    expect(parse(toWhenText(parsed), true)).toEqual(parsed.kind === 'once' ? expect.anything() : parsed);
  });

  test.each([
    ['now', 'such as now for 2h'],
    ['sat 02:00', 'such as sat 02:00 for 2h'],
    ['mon-fri 02:00-04:00', 'say every mon-fri 02:00-04:00'],
    ['today 10:00-12:00', 'say "now until 12:00"'],
    ['now for 8d', 'at most 7 days'],
    ['now for 1m', 'at least 5 minutes'],
    ['now for ages', '"ages" isn\'t a duration'],
    ['daily 02:00-02:00', 'never end'],
    ['cron 0 3 * * *-03:02', 'at least 5 minutes'],
    ['cron 0 * * * *-03:00', 'never end'],
    ['every mon-sun 06:00 for 24h', 'never end'],
    ['forever', 'Give one such as sat 02:00-04:00'],
  ])('%s is refused: %s', (text, message) => {
    expect(parse(text, true)).toContain(message);
  });
});

test('a period that has begun can get a later end, but not one that has passed', () => {
  const keptStartMs = nowMs - 90 * 60_000 + 1;
  const options = { zone, nowMs, isPeriod: true, keptStartMs };
  expect(parseWhen('2026-11-25 09:30 for 3h', options)).toEqual({
    kind: 'valid',
    when: { kind: 'once', atMs: keptStartMs, zone, ends: { afterMs: 3 * 3_600_000 } },
  });
  expect(parseWhen('2026-11-25 09:30 for 1h', options).kind).toBe('invalid');
  expect(parseWhen('2026-11-25 09:29 for 3h', options).kind).toBe('invalid');
});

test('a moment in the hour that a clock change repeats is formatted without ambiguity', () => {
  const secondPass = { kind: 'once', atMs: Date.parse('2027-10-31T01:30Z'), zone } as const;
  expect(parse(toWhenText(secondPass), false, Date.parse('2027-10-30T00:00Z'))).toEqual(secondPass);
});

test.each([
  ['reboot web-01 tomorrow 03:00', 'reboot web-01', 'tomorrow 03:00'],
  ['reboot db-01 tonight 03:00', 'reboot db-01', 'tonight 03:00'],
  ['reboot web-01 in 2h', 'reboot web-01', 'in 2h'],
  ['action web-01 on 03:00', 'action web-01 on', '03:00'],
  ['snapshot web-* daily 02:00', 'snapshot web-*', 'daily 02:00'],
  ['snapshot web-* */30 * * * *', 'snapshot web-*', '*/30 * * * *'],
  ['reboot web-01 03:00', 'reboot web-01', '03:00'],
  ['reboot web-01', 'reboot web-01', ''],
  ['snapshot a every mon thu 02:00', 'snapshot a', 'every mon thu 02:00'],
  ['snapshot delete VPS-10001 weekly tomorrow 03:00', 'snapshot delete VPS-10001 weekly', 'tomorrow 03:00'],
  ['snapshot delete web-01 daily 2026-12-01 03:00', 'snapshot delete web-01 daily', '2026-12-01 03:00'],
  ['snapshot delete web-01 daily weekly mon 03:00', 'snapshot delete web-01 daily', 'weekly mon 03:00'],
  ['snapshot a weekly mnday 02:00', 'snapshot a', 'weekly mnday 02:00'],
  ['snapshot a monthly 35 02:00', 'snapshot a', 'monthly 35 02:00'],
  ['snapshot create db-02 mon-fri 03:00', 'snapshot create db-02', 'mon-fri 03:00'],
  ['reboot web-01 sat sun 03:00', 'reboot web-01', 'sat sun 03:00'],
  ['snapshot create db-02 on sat 03:00', 'snapshot create db-02', 'sat 03:00'],
  ['action web-01 on sat 03:00', 'action web-01 on', 'sat 03:00'],
  ['port open web-01 2222 tomorrow', 'port open web-01 2222', 'tomorrow'],
  ['port open web-01 2222 tomorrow 03:00', 'port open web-01 2222', 'tomorrow 03:00'],
  ['snapshot create db-02 fortnightly 03:00', 'snapshot create db-02', 'fortnightly 03:00'],
  ['snapshot create db-02 every 2 weeks sat 03:00', 'snapshot create db-02', 'every 2 weeks sat 03:00'],
  [
    'snapshot a every mon, tue, wed, thu, fri, sat and sun 02:00',
    'snapshot a',
    'every mon, tue, wed, thu, fri, sat and sun 02:00',
  ],
])('"%s" is split into the act and the time', (text, act, when) => {
  expect(splitWhen(text)).toEqual({ act, when });
});
