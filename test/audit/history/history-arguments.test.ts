import { describe, expect, test } from 'vitest';
import { formatPage, historyArguments, parseSince } from '../../../src/audit/history/history-arguments.ts';
import { inputSchema } from '../../../src/operations/define/arguments/argument.ts';

const schema = inputSchema(historyArguments);
const parse = (raw: object) => schema.parse(raw);
const findError = (raw: object) => schema.safeParse(raw).error?.issues[0]?.message;

describe('the arguments of history', () => {
  test('are all optional', () => {
    expect(parse({})).toEqual({ failed: false });
    expect(parse({ about: '', since: '', export: '', to: '', page: '' })).toEqual({ failed: false });
  });

  test('accept a VPS and a person in either order', () => {
    const both = { vps: 'VPS-10001', userId: 'U0BOB' };
    expect(parse({ about: 'VPS-10001 @U0BOB' }).about).toEqual(both);
    expect(parse({ about: '@U0BOB VPS-10001' }).about).toEqual(both);
    expect(parse({ about: '@W0BOB' }).about).toEqual({ userId: 'W0BOB' });
  });

  test('accept any name of a VPS, also with spaces', () => {
    expect(parse({ about: 'web1' }).about).toEqual({ vps: 'web1' });
    expect(parse({ about: 'Mail server @U0BOB' }).about).toEqual({ vps: 'Mail server', userId: 'U0BOB' });
  });

  test.each([
    ['@bob', "isn't a person"],
    ['VPS-10001 VPS-10002', 'one VPS'],
    ['@U0BOB @U0ALICE', 'one person'],
  ])('reject "%s"', (about, words) => {
    expect(findError({ about })).toContain(words);
  });

  test('accept a channel as Slack delivers it, or off', () => {
    expect(parse({ to: '#C0OPS' }).to).toBe('C0OPS');
    expect(parse({ to: 'Off' }).to).toBe('off');
    expect(findError({ to: '#ops-log' })).toContain('#ops-log');
    expect(findError({ to: '@U0BOB' })).toContain("doesn't know the channel");
    expect(findError({ to: 'D0DIRECT' })).toContain("doesn't know the channel");
  });

  test('accept csv and jsonl', () => {
    expect(parse({ export: 'CSV' }).export).toBe('csv');
    expect(findError({ export: 'xlsx' })).toContain('csv or jsonl');
  });

  test('accept a page as the buttons set it', () => {
    const from = { requestedMs: 1_795_000_000_123, id: '1a-2b' };
    expect(parse({ page: formatPage('newer', from) }).page).toEqual({ direction: 'newer', from });
    expect(findError({ page: 'older' })).toContain('Only the buttons');
  });
});

describe('a start time', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00Z');

  test.each([
    ['30m', '2026-11-21T11:30:00.000Z'],
    ['12h', '2026-11-21T00:00:00.000Z'],
    ['7D', '2026-11-14T12:00:00.000Z'],
    ['2w', '2026-11-07T12:00:00.000Z'],
    ['2026-11-01', '2026-10-31T23:00:00.000Z'],
    ['2026-07-01', '2026-06-30T22:00:00.000Z'],
  ])('%s is %s for a person in Berlin', (typed, time) => {
    const since = parse({ since: typed }).since ?? '';
    expect(new Date(parseSince(since, nowMs, 'Europe/Berlin')).toISOString()).toBe(time);
  });

  test.each(['7', 'd7', '7 days', 'yesterday', '2026-13-01', '-1d', '99999d'])(
    '"%s" is rejected',
    (since) => {
      expect(findError({ since })).toContain('A time looks like');
    },
  );
});
