import { describe, expect, test } from 'vitest';
import { type RrdReading, readRrd } from '../../../src/hosting/readings/rrd.ts';

const startS = 1_763_700_000;
const startMs = startS * 1000;
const minuteMs = 60_000;
const gib = 2 ** 30;

/** The points of a series as minutes since the start and values. */
function valuesOf({ series }: RrdReading, measureOrKey: string): [number, number | null][] | undefined {
  const found = series.find(({ measure, key }) => measure === measureOrKey || key === measureOrKey);
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
          netin: m * 10,
        })),
      },
    ],
    [
      'rows in any order, some twice, with times in ISO and numbers as text',
      [2, 0, 1, 0].map((m) => ({
        timestamp: iso(m),
        cpu_percent: ['10', 'NaN', '30'][m],
        memory: { used: `${m + 1} GiB`, total: '4 GiB' },
        network: { in: `${m * 10} B/s` },
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
          net_in: [0, 10, 20],
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
        netin: [0, 1, 2].map((m) => [ms(m), m * 10]),
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
                { t: s(0), v: '10 %' },
                { t: s(1), v: null },
                { t: s(2), v: '30 %' },
              ],
            },
            { name: 'ram used', points: [0, 1, 2].map((m) => ({ t: s(m), v: (m + 1) * gib })) },
            { name: 'ram total', points: [0, 1, 2].map((m) => ({ t: s(m), v: 4 * gib })) },
            { name: 'rx', values: [0, 1, 2].map((m) => [s(m), m * 10]) },
          ],
        },
      },
    ],
    [
      'a table with a header',
      [
        ['time', 'cpu', 'mem', 'maxmem', 'netin'],
        [s(0), 0.1, gib, 4 * gib, 0],
        [s(1), null, 2 * gib, 4 * gib, 10],
        [s(2), 0.3, 3 * gib, 4 * gib, 20],
      ],
    ],
    [
      'what rrdtool exports',
      {
        meta: { start: startS, step: 60, end: s(2), legend: ['cpu', 'mem', 'maxmem', 'netin'] },
        data: [
          [0.1, gib, 4 * gib, 0],
          [null, 2 * gib, 4 * gib, 10],
          [0.3, 3 * gib, 4 * gib, 20],
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
          { label: 'netin', data: [0, 10, 20] },
        ],
      },
    ],
    [
      'a map by time, by VPS',
      {
        'VPS-10001': Object.fromEntries(
          [0, 1, 2].map((m) => [
            s(m),
            { cpu: [0.1, null, 0.3][m], mem: (m + 1) * gib, maxmem: 4 * gib, netin: m * 10 },
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
        { time: s(m), metric: 'netin', value: m * 10 },
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
        netin: [0, 10, 20],
      },
    ],
  ])('is read from %s', (_, data) => {
    const reading = readRrd(data);
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
      [1, 10],
      [2, 20],
    ]);
    expect(reading.series.find(({ measure }) => measure === 'networkIn')?.unit).toBe('bytesPerSecond');
  });

  test('keeps what came beside the points and what in them is no number', () => {
    const data = {
      range: 'hour',
      points: [
        { time: s(0), cpu: 0.1, status: 'running', note: 'a' },
        { time: s(1), cpu: 'broken', status: 'running', note: 'b' },
      ],
    };
    expect(readRrd(data).rest).toEqual({
      range: 'hour',
      points: { cpu: 'broken', status: 'running', note: ['a', 'b'] },
    });
  });

  test('of several VPS has the series of the one that was asked about, or of each', () => {
    const data = { 'VPS-10001': [{ time: s(0), cpu: 0.1 }], 'VPS-10002': [{ time: s(0), cpu: 0.2 }] };
    expect(readRrd(data, 'VPS-10002').series).toMatchObject([{ key: 'cpu', points: [{ value: 20 }] }]);
    expect(readRrd(data).series.map(({ key }) => key)).toEqual(['VPS-10001.cpu', 'VPS-10002.cpu']);
  });

  test('shows series that nobody has heard of under their own names, and none that may be a secret', () => {
    const reading = readRrd([{ time: s(0), swap_in: 3, cpuTemperature: '61', token: 7 }]);
    expect(reading.series.map(({ label, unit, measure }) => [label, unit, measure])).toEqual([
      ['Swap in', 'number', undefined],
      ['Cpu Temperature', 'number', undefined],
    ]);
    expect(reading.rest).toEqual({ points: { token: 7 } });
  });

  test.each<[unknown]>([
    [{}],
    [[]],
    [null],
    [{ points: [] }],
    ['none'],
    [{ points: [{ time: null, cpu: 1 }] }],
    [[{ cpu: 1 }, { cpu: 2 }]],
  ])('has no series where there are no times: %j', (data) => {
    expect(readRrd(data).series).toEqual([]);
  });

  test('of a VPS that was never measured is all gaps', () => {
    expect(
      readRrd([
        { time: s(0), cpu: null },
        { time: s(1), cpu: 'NaN' },
      ]).series,
    ).toMatchObject([{ key: 'cpu', measure: 'cpu', points: [{ value: null }, { value: null }] }]);
  });
});

describe('points', () => {
  test('are a gap where regular ones have a hole', () => {
    const data = [0, 1, 2, 3, 4, 5, 9, 10].map((m) => ({ time: s(m), cpu: 0.5 }));
    expect(valuesOf(readRrd(data), 'cpu')?.filter(([, value]) => value === null)).toEqual([[6, null]]);
  });

  test('are left alone where they are not regular', () => {
    const data = [0, 1, 5, 20, 21, 60].map((m) => ({ time: s(m), cpu: 0.5 }));
    expect(valuesOf(readRrd(data), 'cpu')).toHaveLength(6);
  });

  test('of one time are the later one that has a value', () => {
    const data = [
      { time: s(0), cpu: 1 },
      { time: s(0), cpu: 3 },
      { time: s(0), cpu: null },
      { time: s(1), cpu: 90 },
    ];
    expect(valuesOf(readRrd(data), 'cpu')).toEqual([
      [0, 3],
      [1, 90],
    ]);
  });
});

describe('a series of shares', () => {
  const rows = (fields: Record<string, readonly unknown[]>) =>
    [0, 1, 2].map((m) => ({
      time: s(m),
      ...Object.fromEntries(Object.entries(fields).map(([field, values]) => [field, values[m]])),
    }));

  test.each<[Record<string, readonly unknown[]>, number]>([
    [{ cpu: [0.5, 0.6, 1.02] }, 50],
    [{ cpu: [0.5, 60, 1] }, 0.5],
    [{ cpu: [0.5, 0.6, 0.7], memory: [61, 61, 61] }, 0.5],
    [{ cpu: [0.5, 0.6, 0.7], maxcpu: [4, 4, 4], memory: [61, 61, 61] }, 50],
    [{ cpu_percent: [0.5, 0.6, 0.7] }, 0.5],
    [{ cpu: ['0.5 %', '0.6 %', '0.7 %'] }, 0.5],
  ])('counts by the largest of its values, its name and its neighbours: %j', (fields, first) => {
    expect(valuesOf(readRrd(rows(fields)), 'cpu')?.[0]?.[1]).toBeCloseTo(first, 6);
  });

  test('of bare amounts is worked out, though their unit is not known', () => {
    const reading = readRrd(rows({ memory_used: [10, 20, 40], memory_total: [4096, 4096, 4096] }));
    expect(valuesOf(reading, 'memory')?.[2]?.[1]).toBeCloseTo((40 / 4096) * 100, 6);
    expect(reading.series.find(({ key }) => key === 'memory_used')?.unit).toBe('number');
  });

  test('counts from the start where no value falls and one is beyond a gigabit per second', () => {
    const totals = readRrd(rows({ netin: [1e9, 2e9, 3e9] })).series[0];
    const rates = readRrd(rows({ netin: [1e9, 3e9, 2e9] })).series[0];
    expect([totals?.unit, rates?.unit]).toEqual(['bytes', 'bytesPerSecond']);
  });
});
