import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildValueScale } from '../../../src/charts/drawing/panel.ts';
import { buildTimeTicks } from '../../../src/charts/drawing/time-ticks.ts';
import { hourMs } from '../chart-specs.ts';

const dayMs = 24 * hourMs;
const labels = (from: string, until: string, timeZone: string, maxTicks = 5) =>
  buildTimeTicks(Date.parse(from), Date.parse(until), { timeZone, maxTicks }).map(({ label }) => label);

describe('times on an axis', () => {
  test('are minutes of an hour, hours of a day, days of a week, dates of a month', () => {
    const until = '2026-11-21T14:10:00Z';
    expect(labels('2026-11-21T13:10:00Z', until, 'UTC')).toEqual(['13:15', '13:30', '13:45', '14:00']);
    expect(labels('2026-11-20T14:10:00Z', until, 'UTC')).toEqual(['18:00', 'Sat 21', '06:00', '12:00']);
    expect(labels('2026-11-14T14:10:00Z', until, 'UTC')).toEqual(['Sun 15', 'Tue 17', 'Thu 19', 'Sat 21']);
    expect(labels('2026-10-22T14:10:00Z', until, 'UTC')).toEqual(['26 Oct', '2 Nov', '9 Nov', '16 Nov']);
  });

  test('stay at round hours through a day of 23 and a day of 25 hours', () => {
    const spring = buildTimeTicks(Date.parse('2026-03-28T23:00Z'), Date.parse('2026-03-29T22:00Z'), {
      timeZone: 'Europe/Berlin',
      maxTicks: 5,
    });
    expect(spring.map(({ label }) => label)).toEqual(['Sun 29', '06:00', '12:00', '18:00', 'Mon 30']);
    expect(spring.map(({ atMs }) => (atMs - Date.parse('2026-03-28T23:00Z')) / hourMs)).toEqual([
      0, 5, 11, 17, 23,
    ]);
    const autumn = buildTimeTicks(Date.parse('2026-10-24T22:00Z'), Date.parse('2026-10-25T23:00Z'), {
      timeZone: 'Europe/Berlin',
      maxTicks: 5,
    });
    expect(autumn.map(({ atMs }) => (atMs - Date.parse('2026-10-24T22:00Z')) / hourMs)).toEqual([
      0, 7, 13, 19, 25,
    ]);
  });

  test('are few, sorted and within any period in any zone', () => {
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Pacific/Apia',
    );
    const period = [fc.integer({ min: 0, max: 4e12 }), fc.double({ min: 0, max: 11, noNaN: true })] as const;
    fc.assert(
      fc.property(...period, zones, (fromMs, power, timeZone) => {
        const untilMs = fromMs + Math.floor(10 ** power);
        const ticks = buildTimeTicks(fromMs, untilMs, { timeZone, maxTicks: 5 });
        const times = ticks.map(({ atMs }) => atMs);
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
        expect(times.every((atMs) => atMs >= fromMs && atMs <= untilMs)).toBe(true);
        expect(ticks.length).toBeLessThanOrEqual(7);
        if (untilMs - fromMs > 2 * dayMs) expect(ticks.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('values on an axis', () => {
  test('reach 100 percent if that is enough', () => {
    expect(buildValueScale('percent', [3, 7])).toEqual({ min: 0, max: 100, step: 50 });
    expect(buildValueScale('percent', [380])).toEqual({ min: 0, max: 400, step: 200 });
    expect(buildValueScale('percent', [])).toEqual({ min: 0, max: 100, step: 50 });
  });

  test('include zero and every value, in whole steps', () => {
    const value = fc.double({ min: -1e100, max: 1e100, noNaN: true });
    const units = fc.constantFrom('percent', 'bytes', 'bytesPerSecond', 'number');
    fc.assert(
      fc.property(units, fc.array(value, { minLength: 1 }), (unit, values) => {
        const { min, max, step } = buildValueScale(unit, values);
        const low = Math.min(0, ...values);
        const high = Math.max(0, ...values);
        expect(max).toBeGreaterThan(min);
        if (Math.max(high, -low) > 1e-99) {
          expect(min).toBeLessThanOrEqual(low + step * 1e-9);
          expect(max).toBeGreaterThanOrEqual(high - step * 1e-9);
          expect(Math.round((max - min) / step)).toBeLessThanOrEqual(8);
        }
      }),
    );
  });
});
