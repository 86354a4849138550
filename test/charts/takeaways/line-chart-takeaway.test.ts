import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Panel, Unit } from '../../../src/charts/chart-spec.ts';
import { lineChartTakeaway } from '../../../src/charts/takeaways.ts';
import { noonMs, panel, points } from '../chart-specs.ts';

const takeawayOfPanels = (...panels: readonly Panel[]) =>
  lineChartTakeaway({ panels, timeZone: 'Europe/Berlin' });

describe('a takeaway', () => {
  test('has average and maximum with its time in the zone', () => {
    expect(takeawayOfPanels(panel('CPU', [10, 5, 93, 4]))).toBe('CPU 28% on average, peak 93% at 16:00.');
  });

  test('joins the panels, each with its unit', () => {
    const mib = 2 ** 20;
    const panels = [
      panel('CPU', [10, 5, 93, 4]),
      panel('Memory', [61, 61.2, 61, 60.9]),
      panel('Disk', [71, 71.6, 72.4, 73]),
      panel('Cache', [5 * mib, 4 * mib, 2 * mib], 'bytes'),
    ];
    expect(takeawayOfPanels(...panels)).toBe(
      'CPU 28% on average, peak 93% at 16:00; Memory steady at 61%; Disk grew from 71% to 73%; Cache fell from 5 MiB to 2 MiB.',
    );
  });

  test('names each of several series', () => {
    const series = [
      { label: 'in', points: points([2048, 2048]) },
      { label: 'out', points: points([0, 0]) },
    ];
    expect(takeawayOfPanels({ label: 'Network', unit: 'bytesPerSecond', series })).toBe(
      'Network in steady at 2 KiB/s; Network out steady at 0 B/s.',
    );
  });

  test('mentions no data, a single value, and gaps', () => {
    expect(takeawayOfPanels()).toBe('No data.');
    expect(takeawayOfPanels({ label: 'Disk', unit: 'bytes', series: [] })).toBe('Disk: no data.');
    expect(takeawayOfPanels(panel('CPU', [null, null]))).toBe('CPU: no data.');
    expect(takeawayOfPanels(panel('CPU', [null, 12]))).toBe('CPU 12% at 15:00, the only value.');
    expect(takeawayOfPanels(panel('CPU', [12, 12, null, 12]))).toBe(
      'CPU steady at 12%, with gaps in the data.',
    );
  });

  test('is one line without NaN or undefined for any numbers and names', () => {
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
        const text = takeawayOfPanels(...panels);
        expect(text).not.toMatch(/NaN|undefined|null|Infinity|no value|\n/);
        expect(text).toMatch(/^\S.*\S\.$/);
      }),
    );
  });

  test("never has an average above the maximum, nor a maximum that isn't a value", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 2 }), (values) => {
        const found = /(\d+(?:\.\d)?)% on average, at most (\d+(?:\.\d)?)%/.exec(
          takeawayOfPanels(panel('CPU', values)),
        );
        if (!found) return;
        expect(Number(found[1])).toBeLessThanOrEqual(Number(found[2]));
        expect(Number(found[2])).toBe(Math.max(...values));
      }),
    );
  });
});
