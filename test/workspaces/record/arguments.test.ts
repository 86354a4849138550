import { describe, expect, test } from 'vitest';
import { inputSchema } from '../../../src/operations/argument.ts';
import { historyArguments, writePage } from '../../../src/workspaces/record/arguments.ts';
import { momentMs } from '../../../src/workspaces/record/span.ts';

const schema = inputSchema(historyArguments);
const read = (raw: object) => schema.parse(raw);
const complaint = (raw: object) => schema.safeParse(raw).error?.issues[0]?.message;

describe('what the history can be asked for', () => {
  test('nothing need be given', () => {
    expect(read({})).toEqual({ failed: false });
    expect(read({ about: '', since: '', export: '', to: '', page: '' })).toEqual({ failed: false });
  });

  test('a VPS and a person, in either order', () => {
    const both = { vps: 'VPS-10001', userId: 'U0BOB' };
    expect(read({ about: 'vps-10001 @U0BOB' }).about).toEqual(both);
    expect(read({ about: '@U0BOB VPS-10001' }).about).toEqual(both);
    expect(read({ about: '@W0BOB' }).about).toEqual({ userId: 'W0BOB' });
  });

  test.each([
    ['@bob', 'neither'],
    ['web1', 'neither'],
    ['S0ONCALL', 'neither'],
    ['VPS-10001 VPS-10002', 'one VPS'],
    ['@U0BOB @U0ALICE', 'one person'],
  ])('"%s" is complained of', (about, words) => {
    expect(complaint({ about })).toContain(words);
  });

  test('a channel as Slack delivers it, or off', () => {
    expect(read({ to: '#C0OPS' }).to).toBe('C0OPS');
    expect(read({ to: 'Off' }).to).toBe('off');
    expect(complaint({ to: '#ops-log' })).toContain('#ops-log');
    expect(complaint({ to: '@U0BOB' })).toContain('no channel');
    expect(complaint({ to: 'D0DIRECT' })).toContain('no channel');
  });

  test('a format that there is', () => {
    expect(read({ export: 'CSV' }).export).toBe('csv');
    expect(complaint({ export: 'xlsx' })).toContain('csv or jsonl');
  });

  test('a page as the buttons write it', () => {
    const from = { requestedMs: 1_795_000_000_123, id: '1a-2b' };
    expect(read({ page: writePage('newer', from) }).page).toEqual({ direction: 'newer', from });
    expect(complaint({ page: 'older' })).toContain('Only the buttons');
  });
});

describe('a moment', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00Z');

  test.each([
    ['30m', '2026-11-21T11:30:00.000Z'],
    ['12h', '2026-11-21T00:00:00.000Z'],
    ['7D', '2026-11-14T12:00:00.000Z'],
    ['2w', '2026-11-07T12:00:00.000Z'],
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
  ])('%s is %s', (typed, time) => {
    expect(new Date(momentMs(read({ since: typed }).since ?? '', nowMs)).toISOString()).toBe(time);
  });

  test.each(['7', 'd7', '7 days', 'yesterday', '2026-13-01', '-1d', '99999d'])('"%s" is none', (since) => {
    expect(complaint({ since })).toContain('A time looks like');
  });
});
