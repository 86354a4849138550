import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bucketMeans,
  buildTimeSeries,
  coveredMs,
  meanValue,
  sliceSeries,
  sumSeries,
} from '../../../src/monitoring/shared/time-series.ts';
import { dayMs, dayOf, endMs, history, hourMs, period, repeated, series, weekOf } from './histories.ts';

describe('a time series', () => {
  test('uses the finest known data at each time', () => {
    const course = buildTimeSeries([weekOf('cpu', () => 10), dayOf('cpu', repeated(50, 24))], 'cpu', endMs);
    expect(meanValue(sliceSeries(course, period))).toBeCloseTo(50);
    expect(meanValue(sliceSeries(course, { fromMs: endMs - 7 * dayMs, untilMs: period.fromMs }))).toBeCloseTo(
      10,
    );
    expect(coveredMs(course)).toBe(7 * dayMs);
  });

  test('knows nothing in gaps, and weights by time', () => {
    const course = buildTimeSeries(
      [dayOf('cpu', [...repeated(null, 12), ...repeated(40, 6), ...repeated(80, 2)])],
      'cpu',
      endMs,
    );
    expect(coveredMs(course)).toBe(8 * hourMs);
    expect(meanValue(course)).toBeCloseTo(50);
    expect(bucketMeans(course, period, 4)).toEqual([
      null,
      null,
      expect.closeTo(40),
      expect.closeTo((40 * 4 + 80 * 2) / 6),
    ]);
  });

  test('adds incoming and outgoing traffic where both are known', () => {
    const [one, other] = [
      [1, 2, null],
      [10, null, 30],
    ].map((values) => buildTimeSeries([history(series('networkIn', hourMs, values))], 'networkIn', endMs));
    expect(sumSeries(one ?? [], other ?? []).map(({ value }) => value)).toEqual([11]);
    expect(sumSeries([], other ?? [])).toBe(other);
  });

  test('is in order, without overlaps, and ends now, whatever the points are', () => {
    const point = fc.record({
      timeMs: fc.oneof(fc.integer({ min: endMs - dayMs, max: endMs + dayMs }), fc.double()),
      value: fc.option(fc.oneof(fc.double(), fc.integer({ min: -5, max: 200 }))),
    });
    const one = fc.array(point, { maxLength: 30 });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 3 }), (all) => {
        const histories = all.map((points) => history({ ...series('cpu', hourMs, []), points }));
        const course = buildTimeSeries(histories, 'cpu', endMs);
        for (const [index, span] of course.entries()) {
          expect(span.untilMs).toBeGreaterThanOrEqual(span.fromMs);
          expect(span.untilMs).toBeLessThanOrEqual(endMs);
          expect(span.value).toBeGreaterThanOrEqual(0);
          expect(course[index + 1]?.fromMs ?? endMs).toBeGreaterThanOrEqual(span.untilMs);
        }
        expect(meanValue(course)).not.toBeNaN();
      }),
    );
  });
});
