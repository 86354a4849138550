import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Panel, Unit } from '../../src/charts/spec.ts';
import { takeaway } from '../../src/charts/takeaway.ts';
import { hourMs, noonMs, panel, points } from './specs.ts';

const say = (...panels: readonly Panel[]) => takeaway({ panels, timeZone: 'Europe/Berlin' });

describe('a takeaway', () => {
  test('says what is usual, what is most and when, in the zone', () => {
    expect(say(panel('CPU', [10, 5, 93, 4]))).toBe('CPU 28 % on average, at most 93 % at 16:00.');
  });

  test('joins panels, each in its way and with its unit', () => {
    const mib = 2 ** 20;
    const panels = [
      panel('CPU', [10, 5, 93, 4]),
      panel('Memory', [61, 61.2, 61, 60.9]),
      panel('Disk', [71, 71.6, 72.4, 73]),
      panel('Cache', [5 * mib, 4 * mib, 2 * mib], 'bytes'),
    ];
    expect(say(...panels)).toBe(
      'CPU 28 % on average, at most 93 % at 16:00; Memory steady at 61 %; Disk grew from 71 % to 73 %; Cache fell from 5 MiB to 2 MiB.',
    );
  });

  test('says that what moves a little is about steady', () => {
    expect(say(panel('Memory', [61, 62, 61, 62, 61.5]))).toBe('Memory steady at about 62 %.');
  });

  test('names each of several series', () => {
    const series = [
      { label: 'in', points: points([2048, 2048]) },
      { label: 'out', points: points([0, 0]) },
    ];
    expect(say({ label: 'Network', unit: 'bytesPerSecond', series })).toBe(
      'Network in steady at 2 KiB/s; Network out steady at 0 B/s.',
    );
  });

  test('tells the day where the period is longer than one', () => {
    const days = points([1, 90, 1, 3], { stepMs: 20 * hourMs });
    expect(say({ label: 'CPU', unit: 'percent', series: [{ label: 'x', points: days }] })).toBe(
      'CPU 24 % on average, at most 90 % on 22 Nov 10:00.',
    );
  });

  test('tells the first moment of a peak that was reached again', () => {
    expect(say(panel('CPU', [1, 90, 1, 90, 2]))).toBe('CPU 37 % on average, at most 90 %, first at 15:00.');
  });

  test('says plainly that there is nothing, or one reading, or gaps', () => {
    expect(say()).toBe('No data.');
    expect(say({ label: 'Disk', unit: 'bytes', series: [] })).toBe('Disk: no data.');
    expect(say(panel('CPU', [null, null]))).toBe('CPU: no data.');
    expect(say(panel('CPU', [null, 12]))).toBe('CPU 12 % at 15:00, the only reading.');
    expect(say(panel('CPU', [12, 12, null, 12]))).toBe('CPU steady at 12 %, with gaps in the readings.');
  });

  test('says how many series it leaves out, and cuts long names', () => {
    const many = Array.from({ length: 25 }, (_, index) => panel(`CPU ${index}`, [1]));
    expect(say(...many)).toMatch(/; 5 more in the picture\.$/);
    expect(say(panel('x'.repeat(9_000), [1]))).toHaveLength(61 + ' 1 % at 14:00, the only reading.'.length);
  });

  test('is one line without NaN or undefined, whatever the numbers and names are', () => {
    const value = fc.option(fc.oneof(fc.double(), fc.double({ min: 0, max: 100 }), fc.integer()));
    const time = fc.oneof(fc.integer({ min: noonMs, max: noonMs + 9e8 }), fc.double());
    const series = fc.record({
      label: fc.constantFrom('in', 'a\nb', ''),
      points: fc.array(fc.record({ timeMs: time, value })),
    });
    const any = fc.record({
      label: fc.constantFrom('CPU', '\u0000', ' \n'),
      unit: fc.constantFrom<Unit>('percent', 'bytes', 'bytesPerSecond', 'number'),
      series: fc.array(series, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 4 }), (panels) => {
        const text = say(...panels);
        expect(text).not.toMatch(/NaN|undefined|null|Infinity|no value|\n/);
        expect(text).toMatch(/^\S.*\S\.$/);
      }),
    );
  });

  test('never names an average beyond the highest, nor a peak that is no reading', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 2 }), (values) => {
        const found = /(\d+(?:\.\d)?) % on average, at most (\d+(?:\.\d)?) %/.exec(say(panel('CPU', values)));
        if (!found) return;
        expect(Number(found[1])).toBeLessThanOrEqual(Number(found[2]));
        expect(Number(found[2])).toBe(Math.max(...values));
      }),
    );
  });
});
