import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRrdHistory } from '../../../../src/hosting/profile/metrics/history/rrd-history.ts';

const startS = 1_763_700_000;
const iso = (minute: number) => new Date(ms(minute)).toISOString();
const s = (minute: number) => startS + minute * 60;
const ms = (minute: number) => s(minute) * 1000;

describe('a history', () => {
  const name = fc.constantFrom('foo', 'swap_in', 'gpu', 'inodes_used', 'entropy', 'Ω');
  const value = fc.option(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { nil: null });
  const table = fc
    .tuple(
      fc.uniqueArray(fc.integer({ min: 0, max: 5_000 }), { minLength: 2, maxLength: 12 }),
      fc.uniqueArray(name, { minLength: 1 }),
    )
    .chain(([minutes, names]) =>
      fc.record({
        minutes: fc.constant(minutes),
        columns: fc.tuple(
          ...names.map((key) =>
            fc.tuple(
              fc.constant(key),
              fc.array(value, { minLength: minutes.length, maxLength: minutes.length }),
            ),
          ),
        ),
      }),
    );

  test('is the same in every layout and time format', () => {
    fc.assert(
      fc.property(
        table,
        fc.constantFrom(iso, s, ms, (minute: number) => String(s(minute))),
        ({ minutes, columns }, time) => {
          const rows = minutes.map((minute, index) => ({
            time: time(minute),
            ...Object.fromEntries(columns.map(([key, values]) => [key, values[index]])),
          }));
          const layouts: unknown[] = [
            { points: rows },
            { data: { result: rows.toReversed() } },
            { time: minutes.map((minute) => time(minute)), ...Object.fromEntries(columns) },
            Object.fromEntries(
              columns.map(([key, values]) => [
                key,
                values.map((each, index) => [time(minutes[index] ?? 0), each]),
              ]),
            ),
            {
              series: columns.map(([key, values]) => ({
                name: key,
                data: values.map((each, index) => ({ t: time(minutes[index] ?? 0), v: each })),
              })),
            },
            [
              ['time', ...columns.map(([key]) => key)],
              ...minutes.map((minute, index) => [
                time(minute),
                ...columns.map(([, values]) => values[index]),
              ]),
            ],
            Object.fromEntries(rows.map(({ time: at, ...row }) => [String(at), row])),
          ];
          const [first, ...others] = layouts.map((layout) => readRrdHistory(layout).series);
          expect(first).toHaveLength(columns.length);
          for (const other of others) expect(other).toEqual(first);
          for (const [key, values] of columns) {
            const found = first?.find((series) => series.key === key)?.points ?? [];
            for (const [index, minute] of minutes.entries()) {
              expect(found).toContainEqual({ timeMs: ms(minute), value: values[index] });
            }
            expect(found.map(({ timeMs }) => timeMs)).toEqual(
              found.map(({ timeMs }) => timeMs).toSorted((a, b) => a - b),
            );
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('a metric that is named beside its points', () => {
  const { series } = readRrdHistory({
    metricName: 'CPUUtilization',
    metricData: [
      { average: 12.5, timestamp: startS, unit: 'Percent' },
      { average: 25, timestamp: startS + 60, unit: 'Percent' },
    ],
  });
  expect(series.map(({ metric, points }) => [metric, points.map(({ value }) => value)])).toEqual([
    ['cpu', [12.5, 25]],
  ]);
});
