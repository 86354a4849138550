import { describe, expect, test } from 'vitest';
import {
  type RrdHistory,
  readRrdHistory,
} from '../../../../src/hosting/profile/metrics/history/rrd-history.ts';

const startS = 1_763_700_000;
const startMs = startS * 1000;
const minuteMs = 60_000;
const gib = 2 ** 30;

/** Returns the points of a series as pairs of minutes since the start and values. */
function valuesOf({ series }: RrdHistory, measureOrKey: string): [number, number | null][] | undefined {
  const found = series.find(({ metric, key }) => metric === measureOrKey || key === measureOrKey);
  return found?.points.map(({ timeMs, value }) => [(timeMs - startMs) / minuteMs, value]);
}

const iso = (minute: number) => new Date(startMs + minute * minuteMs).toISOString();
const s = (minute: number) => startS + minute * 60;
const ms = (minute: number) => startMs + minute * minuteMs;

describe('a history', () => {
  test.each<[string, unknown]>([
    [
      'rows in seconds, in the names of the sandbox',
      {
        vps_name: 'VPS-10001',
        range: 'hour',
        points: [0, 1, 2].map((m) => ({
          time: s(m),
          cpu: [0.1, null, 0.3][m],
          maxcpu: 4,
          mem: [1, 2, 3].map((n) => n * gib)[m],
          maxmem: 4 * gib,
          netin: m * 1_000,
        })),
      },
    ],
    [
      'rows in any order, some twice, with times in ISO and numbers as text',
      [2, 0, 1, 0].map((m) => ({
        timestamp: iso(m),
        cpu_percent: ['10', 'NaN', '30'][m],
        memory: { used: `${m + 1} GiB`, total: '4 GiB' },
        network: { in: `${m * 1_000} B/s` },
      })),
    ],
    [
      'columns',
      {
        data: {
          time: [ms(0), ms(1), ms(2)],
          cpu: [10, null, 30],
          mem_used_gb: [1, 2, 3],
          mem_total_gb: [4, 4, 4],
          net_in: [0, 1_000, 2_000],
        },
      },
    ],
    [
      'pairs by series',
      {
        cpu: [
          [ms(0), 10],
          [ms(1), null],
          [ms(2), 30],
        ],
        memory_used_mb: [0, 1, 2].map((m) => [ms(m), (m + 1) * 1024]),
        memory_total_mb: [0, 1, 2].map((m) => [ms(m), 4096]),
        netin: [0, 1, 2].map((m) => [ms(m), m * 1_000]),
      },
    ],
    [
      'times and values by series',
      {
        result: {
          series: [
            {
              name: 'cpu',
              data: [
                { t: s(0), v: '10%' },
                { t: s(1), v: null },
                { t: s(2), v: '30%' },
              ],
            },
            { name: 'ram used', points: [0, 1, 2].map((m) => ({ t: s(m), v: (m + 1) * gib })) },
            { name: 'ram total', points: [0, 1, 2].map((m) => ({ t: s(m), v: 4 * gib })) },
            { name: 'rx', values: [0, 1, 2].map((m) => [s(m), m * 1_000]) },
          ],
        },
      },
    ],
    [
      'a table with a header',
      [
        ['time', 'cpu', 'mem', 'maxmem', 'netin'],
        [s(0), 0.1, gib, 4 * gib, 0],
        [s(1), null, 2 * gib, 4 * gib, 1_000],
        [s(2), 0.3, 3 * gib, 4 * gib, 2_000],
      ],
    ],
    [
      'what rrdtool exports',
      {
        meta: { start: startS, step: 60, end: s(2), legend: ['cpu', 'mem', 'maxmem', 'netin'] },
        data: [
          [0.1, gib, 4 * gib, 0],
          [null, 2 * gib, 4 * gib, 1_000],
          [0.3, 3 * gib, 4 * gib, 2_000],
        ],
      },
    ],
    [
      'labels and data sets',
      {
        labels: [iso(0), iso(1), iso(2)],
        datasets: [
          { label: 'cpu', data: [0.1, null, 0.3] },
          { label: 'mem', data: [gib, 2 * gib, 3 * gib] },
          { label: 'maxmem', data: [4 * gib, 4 * gib, 4 * gib] },
          { label: 'netin', data: [0, 1_000, 2_000] },
        ],
      },
    ],
    [
      'a map by time, by VPS',
      {
        'VPS-10001': Object.fromEntries(
          [0, 1, 2].map((m) => [
            s(m),
            { cpu: [0.1, null, 0.3][m], mem: (m + 1) * gib, maxmem: 4 * gib, netin: m * 1_000 },
          ]),
        ),
      },
    ],
    [
      'a row for each value',
      [0, 1, 2].flatMap((m) => [
        { time: s(m), metric: 'cpu_fraction', value: [0.1, null, 0.3][m] },
        { time: s(m), metric: 'mem', value: (m + 1) * gib },
        { time: s(m), metric: 'maxmem', value: 4 * gib },
        { time: s(m), metric: 'netin', value: m * 1_000 },
      ]),
    ],
    [
      'a start and a step',
      {
        from: iso(0),
        interval: 60,
        cpu: [0.1, null, 0.3],
        mem: [gib, 2 * gib, 3 * gib],
        maxmem: [4 * gib, 4 * gib, 4 * gib],
        netin: [0, 1_000, 2_000],
      },
    ],
  ])('is read from %s', (_, data) => {
    const reading = readRrdHistory(data);
    const cpu = valuesOf(reading, 'cpu')?.map(([m, value]) => [m, value === null ? null : Math.round(value)]);
    expect(cpu).toEqual([
      [0, 10],
      [1, null],
      [2, 30],
    ]);
    expect(valuesOf(reading, 'memory')).toEqual([
      [0, 25],
      [1, 50],
      [2, 75],
    ]);
    expect(valuesOf(reading, 'memoryUsed')).toEqual([
      [0, gib],
      [1, 2 * gib],
      [2, 3 * gib],
    ]);
    expect(valuesOf(reading, 'networkIn')).toEqual([
      [0, 0],
      [1, 1_000],
      [2, 2_000],
    ]);
    expect(reading.series.find(({ metric }) => metric === 'networkIn')?.unit).toBe('bytesPerSecond');
  });

  test('includes other fields and non-numeric values of the points', () => {
    const data = {
      range: 'hour',
      points: [
        { time: s(0), cpu: 0.1, status: 'running', note: 'a' },
        { time: s(1), cpu: 'broken', status: 'running', note: 'b' },
      ],
    };
    expect(readRrdHistory(data).otherFields).toEqual({
      range: 'hour',
      points: { cpu: 'broken', status: 'running', note: ['a', 'b'] },
    });
  });

  test('of several VPS has the series of the requested VPS, or of each', () => {
    const data = { 'VPS-10001': [{ time: s(0), cpu: 10 }], 'VPS-10002': [{ time: s(0), cpu: 20 }] };
    expect(readRrdHistory(data, 'VPS-10002').series).toMatchObject([{ key: 'cpu', points: [{ value: 20 }] }]);
    expect(readRrdHistory(data).series.map(({ key }) => key)).toEqual(['VPS-10001.cpu', 'VPS-10002.cpu']);
  });

  test('shows unknown series under their own names, and no possible secrets', () => {
    const reading = readRrdHistory([{ time: s(0), swap_in: 3, cpuTemperature: '61', token: 7 }]);
    expect(reading.series.map(({ label, unit, metric }) => [label, unit, metric])).toEqual([
      ['Swap in', 'number', undefined],
      ['Cpu Temperature', 'number', undefined],
    ]);
    expect(reading.otherFields).toEqual({ points: { token: 7 } });
  });

  test.each<[unknown]>([
    [{}],
    [[]],
    [null],
    [{ points: [] }],
    ['none'],
    [{ points: [{ time: null, cpu: 1 }] }],
    [[{ cpu: 1 }, { cpu: 2 }]],
  ])('has no series without times: %j', (data) => {
    expect(readRrdHistory(data).series).toEqual([]);
  });

  test('of a VPS without measurements has only gaps', () => {
    expect(
      readRrdHistory([
        { time: s(0), cpu: null },
        { time: s(1), cpu: 'NaN' },
      ]).series,
    ).toMatchObject([{ key: 'cpu', metric: 'cpu', points: [{ value: null }, { value: null }] }]);
  });
});

test('a history that the service says is of another VPS has no series', () => {
  const data = { vps_name: 'VPS-10002', points: [{ time: 1_795_240_800, cpu_percent: 99 }] };
  expect(readRrdHistory(data, 'VPS-10001')).toEqual({ series: [], otherFields: data });
  expect(readRrdHistory(data, 'vps-10002').series).toHaveLength(1);
});

describe('points', () => {
  test('get a gap where a regular point is missing', () => {
    const data = [0, 1, 2, 3, 4, 5, 9, 10].map((m) => ({ time: s(m), cpu: 0.5 }));
    expect(valuesOf(readRrdHistory(data), 'cpu')?.filter(([, value]) => value === null)).toEqual([[6, null]]);
  });

  test('stay unchanged if they are irregular', () => {
    const data = [0, 1, 5, 20, 21, 60].map((m) => ({ time: s(m), cpu: 0.5 }));
    expect(valuesOf(readRrdHistory(data), 'cpu')).toHaveLength(6);
  });

  test('of the same time become the last one with a value', () => {
    const data = [
      { time: s(0), cpu: 1 },
      { time: s(0), cpu: 3 },
      { time: s(0), cpu: null },
      { time: s(1), cpu: 90 },
    ];
    expect(valuesOf(readRrdHistory(data), 'cpu')).toEqual([
      [0, 3],
      [1, 90],
    ]);
  });
});

describe('a series of percentages', () => {
  const rows = (fields: Record<string, readonly unknown[]>) =>
    [0, 1, 2].map((m) => ({
      time: s(m),
      ...Object.fromEntries(Object.entries(fields).map(([field, values]) => [field, values[m]])),
    }));

  test.each<[Record<string, readonly unknown[]>, number]>([
    [{ cpu: [0.5, 0.6, 1.02], maxcpu: [4, 4, 4] }, 50],
    [{ cpu: [0.5, 0.6, 1.02], memory: [0.6, 0.6, 0.6] }, 50],
    [{ cpu: [0.5, 60, 1] }, 0.5],
    [{ cpu: [0.5, 0.6, 0.7], memory: [61, 61, 61] }, 0.5],
    [{ cpu: [0.5, 0.6, 0.7], maxcpu: [4, 4, 4], memory: [61, 61, 61] }, 50],
    [{ cpu_percent: [0.5, 0.6, 0.7] }, 0.5],
    [{ cpu: ['0.5%', '0.6%', '0.7%'] }, 0.5],
  ])('gets its scale from its largest value, its name and its neighbors: %j', (fields, first) => {
    expect(valuesOf(readRrdHistory(rows(fields)), 'cpu')?.[0]?.[1]).toBeCloseTo(first, 6);
  });

  test('is calculated from amounts in the same unknown unit', () => {
    const reading = readRrdHistory(rows({ memory_used: [10, 20, 40], memory_total: [4096, 4096, 4096] }));
    expect(valuesOf(reading, 'memory')?.[2]?.[1]).toBeCloseTo((40 / 4096) * 100, 6);
    expect(reading.series.find(({ key }) => key === 'memory_used')?.unit).toBe('number');
  });

  test('is a total if no value falls and one exceeds 1 Gbit/s', () => {
    const totals = readRrdHistory(rows({ netin: [1e9, 2e9, 3e9] })).series[0];
    const rates = readRrdHistory(rows({ netin: [1e9, 3e9, 2e9] })).series[0];
    expect([totals?.unit, rates?.unit]).toEqual(['bytes', 'bytesPerSecond']);
  });
});
