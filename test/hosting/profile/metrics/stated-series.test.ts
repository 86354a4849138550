import { describe, expect, test } from 'vitest';
import { readRrdHistory } from '../../../../src/hosting/profile/metrics/history/rrd-history.ts';

const startS = 1_795_240_800;
const s = (minute: number) => startS + minute * 60;
const gib = 2 ** 30;

const seriesOf = (data: unknown) =>
  readRrdHistory(data).series.map(({ key, metric, points }) => ({
    key,
    metric,
    values: points.map(({ value }) => value),
  }));

const metricsOf = (data: unknown) =>
  Object.fromEntries(seriesOf(data).flatMap(({ metric, values }) => (metric ? [[metric, values]] : [])));

const rows = (fields: Record<string, readonly unknown[]>) =>
  [0, 1, 2].map((minute) => ({
    time: s(minute),
    ...Object.fromEntries(Object.entries(fields).map(([field, values]) => [field, values[minute]])),
  }));

describe('points with their own times beside a start and a step', () => {
  const cpu = [42.5, 140.25, 12];
  const pairs = cpu.map((value, minute) => [s(minute), String(value)]);

  test('are values, not times', () => {
    const hetzner = {
      metrics: {
        start: '2026-11-21T06:00:00+00:00',
        end: '2026-11-21T06:03:00+00:00',
        step: 60,
        time_series: { cpu: { values: pairs } },
      },
    };
    expect(seriesOf(hetzner)).toEqual([{ key: 'cpu', metric: 'cpu', values: cpu }]);
  });

  test.each(['logged_at', 'sampledAt', 'collect_time', 'measurement-date'])(
    'can be rows with a %s',
    (field) => {
      const data = cpu.map((cpu_percent, minute) => ({ [field]: s(minute), cpu_percent }));
      expect(metricsOf({ data })).toEqual({ cpu });
    },
  );

  test('can be rows with named columns, one of which is the time', () => {
    const meta = { start: startS, step: 60 };
    const data = cpu.map((value, minute) => [s(minute), value, 61]);
    for (const legend of [
      ['cpu', 'memory'],
      ['time', 'cpu', 'memory'],
    ]) {
      expect(metricsOf({ meta: { ...meta, legend }, data })).toEqual({ cpu, memory: [61, 61, 61] });
    }
  });

  test('can also have the end of each interval', () => {
    const points = cpu.map((value, minute) => ({ time: s(minute), until: s(minute + 1), cpu: value }));
    expect(seriesOf({ points })).toEqual([{ key: 'cpu', metric: 'cpu', values: cpu }]);
  });

  test('can have the value before the time, as in Graphite', () => {
    const datapoints = cpu.map((value, minute) => [value, s(minute)]);
    const large = [3 * gib, 2 * gib, 3 * gib].map((value, minute) => [value, s(minute)]);
    expect(
      metricsOf([
        { target: 'cpu', datapoints },
        { target: 'memory_used', datapoints: large },
      ]),
    ).toEqual({ cpu, memoryUsed: [3 * gib, 2 * gib, 3 * gib] });
  });
});

describe('column names', () => {
  test('stay with their columns if one is missing', () => {
    const data = {
      meta: { start: startS, step: 60, legend: ['cpu', null, 'memory'] },
      data: [
        [42.5, 7, 61],
        [43.5, 8, 62],
        [44.5, 9, 63],
      ],
    };
    expect(seriesOf(data)).toEqual([
      { key: 'cpu', metric: 'cpu', values: [42.5, 43.5, 44.5] },
      { key: '2', metric: undefined, values: [7, 8, 9] },
      { key: 'memory', metric: 'memory', values: [61, 62, 63] },
    ]);
  });

  test('come from labels, so that several series of one metric stay apart', () => {
    const result = ['idle', 'user'].map((mode, index) => ({
      metric: { host_id: '50001', mode },
      values: [0, 1, 2].map((minute) => [s(minute), String(100 * (index + 1) + minute)]),
    }));
    expect(seriesOf({ resultType: 'matrix', result }).map(({ key, values }) => [key, values])).toEqual([
      ['50001 idle', [100, 101, 102]],
      ['50001 user', [200, 201, 202]],
    ]);
  });
});

describe('an ambiguous series', () => {
  test.each<[string, Record<string, readonly unknown[]>]>([
    ['an idle CPU in percent, or a fraction', { cpu: [0.42, 0.5, 1.2] }],
    ['a disk in GB', { cpu: [2, 1.9, 2.4], disk: [3.827, 3.827, 3.9] }],
    ['MB per second', { network_in: [0.006, 0.0065, 0.2] }],
    ['bytes of each point', { incoming_bytes: [234e9, 81e9, 8e6] }],
    ['bytes of each point that rise', { incoming_bytes: [8e6, 81e9, 234e9] }],
    ['the size of a disk', { disk: ['80 GB', '80 GB', '80 GB'] }],
    ['percentages beyond 100', { memory_percent: [120, 161, 400] }],
  ])('is drawn under its own name: %s', (_, fields) => {
    const stated = metricsOf(rows(fields));
    expect(stated).not.toHaveProperty('disk');
    expect(Object.keys(stated).filter((metric) => metric !== 'cpu' || !('disk' in fields))).toEqual([]);
    expect(seriesOf(rows(fields))).toHaveLength(Object.keys(fields).length);
  });
});

describe('a series', () => {
  test("of a disk whose usage the service can't see is not drawn", () => {
    const data = rows({ cpu: [0.1, 0.2, 0.3], disk: [0, 0, 0], maxdisk: [32 * gib, 32 * gib, 32 * gib] });
    expect(Object.keys(metricsOf(data))).toEqual(['cpu', 'diskTotal']);
  });

  test('that only rises is a counter', () => {
    const data = Array.from({ length: 20 }, (_, minute) => ({
      time: s(minute),
      netin: 1e6 + minute * 5_000,
    }));
    expect(readRrdHistory(data).series).toMatchObject([{ metric: 'networkIn', unit: 'bytes' }]);
  });

  test('takes its times from a time field, not from bytes that look like times', () => {
    const datapoints = [
      [3 * gib, s(0) * 1_000],
      [2 * gib, s(1) * 1_000],
    ];
    expect(metricsOf([{ target: 'memory_used', datapoints }])).toEqual({ memoryUsed: [3 * gib, 2 * gib] });
  });

  test('takes its times from the column that rises, not from a constant amount', () => {
    const datapoints = [0, 1, 2].map((minute) => [1.5e9, s(minute)]);
    expect(metricsOf([{ target: 'memory_used', datapoints }])).toEqual({ memoryUsed: [1.5e9, 1.5e9, 1.5e9] });
  });

  test('of transfer without a unit is not stated if it has decimals, or could be MB', () => {
    expect(metricsOf(rows({ netin: [1_234.5, 1_300.25, 1_250.5] }))).toEqual({});
    expect(metricsOf(rows({ netin: [4, 5, 3] }))).toEqual({});
    expect(metricsOf(rows({ netin: [1_234, 1_300, 1_250] }))).toEqual({ networkIn: [1_234, 1_300, 1_250] });
  });

  test('omits single implausible values', () => {
    const values = Array.from({ length: 20 }, (_, minute) => (minute === 7 ? 4_000 : 50));
    const data = values.map((value, minute) => ({ time: s(minute), memory_percent: value }));
    const expected = values.map((value) => (value === 50 ? 50 : null));
    expect(metricsOf(data)).toEqual({ memory: expected });
  });

  test('of used memory above the total is not used', () => {
    const stated = metricsOf(rows({ memory_used_gb: [9, 9, 9], memory_total_gb: [4, 4, 4] }));
    expect(stated).toEqual({});
  });

  test.each<[string, Record<string, readonly unknown[]>]>([
    ['beside the average', { disk: [9, 9, 9].map((used) => ({ avg: used * gib, max: 9 * gib })) }],
    ['that changes', { memory: [gib, 2 * gib, gib], memory_max: [3 * gib, 2.5 * gib, 2 * gib] }],
  ])('of the highest values is not the size: %s', (_, columns) => {
    const metrics = Object.keys(metricsOf(rows(columns)));
    expect(metrics.filter((metric) => !metric.endsWith('Used'))).toEqual([]);
  });

  test('has no times before 2000 or after 2099', () => {
    expect(seriesOf([{ time: 12, cpu_percent: 1 }])).toEqual([]);
    expect(seriesOf([{ time: '9999-12-31', cpu_percent: 1 }])).toEqual([]);
  });
});
