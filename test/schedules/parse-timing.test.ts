import { describe, expect, test } from 'vitest';
import { parseTiming, splitActAndTime } from '../../src/schedules/timing/parse-timing.ts';

// Wednesday 25 November 2026, 11:00 in Berlin.
const nowMs = Date.parse('2026-11-25T10:00Z');
const zone = 'Europe/Berlin';

describe('a time', () => {
  test.each([
    ['tomorrow 03:00', '2026-11-26T02:00Z'],
    ['today 12:00', '2026-11-25T11:00Z'],
    ['12:00', '2026-11-25T11:00Z'],
    ['10:00', '2026-11-26T09:00Z'],
    ['sat 04:00', '2026-11-28T03:00Z'],
    ['wed 10:00', '2026-12-02T09:00Z'],
    ['2027-07-01 03:00', '2027-07-01T01:00Z'],
  ])('%s is %s', (text, expected) => {
    const atMs = Date.parse(expected);
    expect(parseTiming(text, zone, nowMs)).toEqual({ kind: 'valid', timing: { kind: 'once', atMs, zone } });
  });

  test.each([
    ['today 10:00', 'That time has passed'],
    ['2027-03-28 02:30', "doesn't exist"],
    ['2028-12-01 03:00', 'within the next year'],
    ['2027-02-30 03:00', 'Give a time'],
    ['whenever', 'Give a time'],
    ['every blue 03:00', 'days of the week'],
  ])('%s is refused: %s', (text, message) => {
    const parsed = parseTiming(text, zone, nowMs);
    expect(parsed).toMatchObject({ kind: 'invalid', message: expect.stringContaining(message) });
  });

  test.each([
    ['daily 02:00', { every: 'day', at: '02:00' }],
    ['every mon thu 02:00', { every: 'week', days: ['mon', 'thu'] }],
    ['weekdays 02:00', { every: 'weekday' }],
    ['monthly 31 02:00', { every: 'month', day: 31 }],
    ['cron 0 2 * * 1', { every: 'cron', expression: '0 2 * * 1' }],
  ])('%s recurs', (text, recurrence) => {
    const parsed = parseTiming(text, zone, nowMs);
    expect(parsed).toMatchObject({ kind: 'valid', timing: { kind: 'recurring', recurrence } });
  });
});

test.each([
  ['reboot web-01 tomorrow 03:00', 'reboot web-01', 'tomorrow 03:00'],
  ['snapshot web-* daily 02:00', 'snapshot web-*', 'daily 02:00'],
  ['reboot web-01 03:00', 'reboot web-01', '03:00'],
  ['reboot web-01', 'reboot web-01', ''],
  ['snapshot a every mon thu 02:00', 'snapshot a', 'every mon thu 02:00'],
  ['snapshot delete VPS-10001 weekly tomorrow 03:00', 'snapshot delete VPS-10001 weekly', 'tomorrow 03:00'],
  ['snapshot delete web-01 daily 2026-12-01 03:00', 'snapshot delete web-01 daily', '2026-12-01 03:00'],
  ['snapshot delete web-01 daily weekly mon 03:00', 'snapshot delete web-01 daily', 'weekly mon 03:00'],
  ['snapshot a weekly mnday 02:00', 'snapshot a', 'weekly mnday 02:00'],
  ['snapshot a monthly 35 02:00', 'snapshot a', 'monthly 35 02:00'],
  [
    'snapshot a every mon, tue, wed, thu, fri, sat and sun 02:00',
    'snapshot a',
    'every mon, tue, wed, thu, fri, sat and sun 02:00',
  ],
  // Each end of a long text would be read as a time, which takes long.
  [`a cron${' 1'.repeat(12)}`, `a cron${' 1'.repeat(12)}`, ''],
])('"%s" is split into the act and the time', (text, act, when) => {
  expect(splitActAndTime(text)).toEqual({ act, when });
});
