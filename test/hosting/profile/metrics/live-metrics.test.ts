import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type LiveMetrics,
  readLiveMetrics,
} from '../../../../src/hosting/profile/metrics/live/live-metrics.ts';

const mib = 2 ** 20;
const gib = 2 ** 30;

/** The content of every payload below: 12% CPU, 1 of 4 GiB of memory, 20 of 80 GiB of disk. */
const expectedFigures = {
  cpuPercent: 12,
  memoryUsedBytes: gib,
  memoryTotalBytes: 4 * gib,
  memoryPercent: 25,
  diskUsedBytes: 20 * gib,
  diskTotalBytes: 80 * gib,
  diskPercent: 25,
};

describe('live data', () => {
  test.each<[string, unknown]>([
    [
      'Proxmox VE style',
      { cpu: 0.12, maxcpu: 4, mem: gib, maxmem: 4 * gib, disk: 20 * gib, maxdisk: 80 * gib },
    ],
    [
      'numbers as text',
      {
        cpu: '0.12',
        maxcpu: '4',
        mem: String(gib),
        maxmem: String(4 * gib),
        disk: '20 GiB',
        maxdisk: '80 GB',
      },
    ],
    [
      'records with units in names',
      {
        live: {
          cpu: { usage_percent: 12, cores: 4 },
          memory: { used_mb: 1024, total_mb: 4096 },
          disk: { used_gb: 20, total_gb: 80 },
        },
      },
    ],
    [
      'records with units beside',
      {
        data: {
          cpu: { value: 12, unit: '%' },
          memory: { used: 1, total: 4, unit: 'GiB' },
          disk: { used: 20, total: 80, unit: 'GiB' },
        },
      },
    ],
    [
      'names and values',
      [
        { name: 'cpu', value: 12, unit: '%' },
        { name: 'memory_used', value: '1 GiB' },
        { name: 'memory_total', value: '4 GiB' },
        { name: 'disk_used', value: 20, unit: 'GiB' },
        { name: 'disk_total', value: 80, unit: 'GiB' },
      ],
    ],
    [
      'pairs',
      {
        metrics: [
          ['cpuUsage', '12%'],
          ['memUsed', '1024 MiB'],
          ['memTotal', '4096 MiB'],
          ['diskUsedGB', 20],
          ['diskTotalGB', 80],
        ],
      },
    ],
    [
      'what is free',
      {
        result: {
          cpu_usage: '12%',
          ram_free: 3 * gib,
          ram_total: 4 * gib,
          storage_available: '60 GiB',
          storage_size: '80 GiB',
        },
      },
    ],
    [
      'a size beside what is used',
      { cpu_percent: '12.0', memory_mb: 4096, memory_used_mb: 1024, disk_gb: 80, disk_used_gb: 20 },
    ],
    [
      'a map by VPS',
      {
        'VPS-10002': { cpu: 0.9, mem: 1, maxmem: 2 },
        'vps-10001': { cpu: 0.12, mem: gib, maxmem: 4 * gib, disk: 20 * gib, maxdisk: 80 * gib },
      },
    ],
    [
      'a list of VPS',
      [
        { vps_name: 'VPS-10002', cpu: 0.9 },
        { vps_name: 'VPS-10001', cpu: 0.12, mem: gib, maxmem: 4 * gib, disk: 20 * gib, maxdisk: 80 * gib },
      ],
    ],
  ])('is read from %s', (_, data) => {
    const reading = readLiveMetrics(data, 'VPS-10001');
    for (const [field, value] of Object.entries(expectedFigures)) {
      expect(Reflect.get(reading, field), field).toBeCloseTo(value, 6);
    }
  });

  test('of an idle VPS is zero, not missing', () => {
    expect(
      readLiveMetrics({ status: 'stopped', cpu: 0, mem: 0, maxmem: 4 * gib, netin: 0, uptime: 0 }),
    ).toMatchObject({
      state: 'stopped',
      cpuPercent: 0,
      memoryPercent: 0,
      networkInBytesPerS: 0,
      uptimeS: 0,
    });
  });

  test('has a percentage of amounts in an unknown unit, and shows the amounts', () => {
    const { memoryPercent, memoryUsedBytes, unrecognized } = readLiveMetrics({
      memory_used: 1024,
      memory_total: 4096,
    });
    expect([memoryPercent, memoryUsedBytes]).toEqual([25, undefined]);
    expect(unrecognized.map(({ value }) => value)).toEqual([1024, 4096]);
  });
});

describe('a share', () => {
  test.each<[Record<string, unknown>, Partial<LiveMetrics>]>([
    [
      { cpu: 0.5, mem: 61, disk: 70 },
      { cpuPercent: 0.5, memoryPercent: 61, diskPercent: 70 },
    ],
    [
      { cpu: 0.5, memory: 0.61 },
      { cpuPercent: 50, memoryPercent: 61 },
    ],
    [
      { cpu: 0.5, maxcpu: 2, memory: 61 },
      { cpuPercent: 50, memoryPercent: 61 },
    ],
    [{ cpu: 1.02, maxcpu: 2 }, { cpuPercent: 102 }],
    [{ cpu: 230 }, { cpuPercent: 230 }],
    [{ cpu_percent: 0.5 }, { cpuPercent: 0.5 }],
    [{ cpu: '0.5%' }, { cpuPercent: 0.5 }],
    [
      { cpu_fraction: 0.5, memory: 61 },
      { cpuPercent: 50, memoryPercent: 61 },
    ],
  ])('is a fraction or percentage by its name, unit, neighbors or size: %j', (data, expected) => {
    expect(readLiveMetrics(data)).toMatchObject(expected);
  });

  test('is the same as a fraction and as a percentage', () => {
    // A used machine: 1 or 2 of everything could also be its size, two cores and 2 GB.
    const share = fc.double({ min: 0.021, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(share, share, share, (cpu, memory, disk) => {
        const fractions = readLiveMetrics({ cpu, memory, disk });
        const percents = readLiveMetrics({ cpu: cpu * 100, memory: memory * 100, disk: disk * 100 });
        for (const field of ['cpuPercent', 'memoryPercent', 'diskPercent'] as const) {
          expect(fractions[field]).toBeCloseTo(percents[field] ?? Number.NaN, 6);
        }
      }),
    );
  });

  test('is the same for bytes in every unit', () => {
    const total = 2 ** 20;
    const unit = fc.constantFrom<[string, number]>(
      ['B', 1],
      ['KiB', 1024],
      ['MB', mib],
      ['GiB', gib],
      ['g', gib],
      ['bytes', 1],
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: total }),
        unit,
        fc.constantFrom('text', 'record'),
        (used, [name, size], shape) => {
          const of = (count: number) =>
            shape === 'text' ? `${count} ${name}` : { value: count, unit: name };
          expect(readLiveMetrics({ memory: { used: of(used), total: of(total) } })).toMatchObject({
            memoryUsedBytes: used * size,
            memoryTotalBytes: total * size,
            memoryPercent: (used / total) * 100,
          });
        },
      ),
    );
  });
});

describe('a flow', () => {
  test.each<[unknown, Partial<LiveMetrics>]>([
    [
      { netin: 1000, netout: 2000, diskread: 3, diskwrite: 4 },
      { networkInBytesPerS: 1000, networkOutBytesPerS: 2000, diskReadBytesPerS: 3, diskWriteBytesPerS: 4 },
    ],
    [{ network: { in: '8 Mbit/s', out: '1 MB/s' } }, { networkInBytesPerS: 1e6, networkOutBytesPerS: mib }],
    [
      { net_in_mbps: 8, net_out_kbps: '16' },
      { networkInBytesPerS: 1e6, networkOutBytesPerS: 2000 },
    ],
    [{ traffic: { rx_bytes: 5, tx_bytes: 6 } }, { networkInBytes: 5, networkOutBytes: 6 }],
    [
      { rx: 5, tx: '6 B/s' },
      { networkInBytesPerS: 5, networkOutBytesPerS: 6 },
    ],
    [
      { networkInRate: '1 KiB', bytes_out_per_second: 7 },
      { networkInBytesPerS: 1024, networkOutBytesPerS: 7 },
    ],
  ])('is a rate or a total: %j', (data, expected) => {
    expect(readLiveMetrics(data)).toMatchObject(expected);
    expect(readLiveMetrics(data).unrecognized).toEqual([]);
  });

  test('is a total without a unit if any flow exceeds 1 Gbit/s', () => {
    const reading = readLiveMetrics({ netin: 9e11, netout: 12 });
    expect(reading).toMatchObject({ networkInBytes: 9e11, networkOutBytes: 12 });
    expect(reading.networkInBytesPerS).toBeUndefined();
  });
});

describe('state, uptime and load', () => {
  test.each<[unknown, number | undefined]>([
    [{ uptime: 3_600 }, 3_600],
    [{ uptime: '3600' }, 3_600],
    [{ uptime_ms: 3_600_000 }, 3_600],
    [{ uptime: { value: 2, unit: 'hours' } }, 7_200],
    [{ uptime: '3 days' }, 259_200],
    [{ uptime: '3d 4h 5m' }, 273_900],
    [{ uptime: '3 days, 04:05:06' }, 273_906],
    [{ uptime: 864_000.23 }, 864_000.23],
    [{ uptime: 99.98 }, undefined],
    [{ uptime: 'a while' }, undefined],
    [{ uptime: -1 }, undefined],
  ])('the uptime is in seconds: %j', (data, uptimeS) => {
    expect(readLiveMetrics(data).uptimeS).toBe(uptimeS);
  });

  test.each<[unknown]>([
    [{ loadavg: [0.1, 0.2, 0.3] }],
    [{ load_average: '0.1, 0.2, 0.3' }],
    [{ load: ['0.1', '0.2', '0.3'] }],
    [{ load15: 0.3, load1: 0.1, load5: 0.2 }],
    [{ load: { '1m': 0.1, '5m': 0.2, '15m': 0.3 } }],
  ])('the load is three numbers: %j', (data) => {
    expect(readLiveMetrics(data).loadAverage).toEqual([0.1, 0.2, 0.3]);
  });

  test.each<[unknown]>([
    [{ status: 'running' }],
    [{ live: { state: 'running' } }],
    [{ status: { state: 'running' } }],
  ])("a state is the service's own word: %j", (data) => {
    expect(readLiveMetrics(data).state).toBe('running');
  });

  test('the state and uptime of a part are not those of the VPS', () => {
    const { state, uptimeS } = readLiveMetrics({ disk: { status: 'ok' }, nginx: { uptime: 5 } });
    expect([state, uptimeS]).toEqual([undefined, undefined]);
  });
});

test('figures that the service says are of another VPS are not stated', () => {
  const data = { vps_name: 'VPS-10002', status: 'running', cpu_percent: 99 };
  const { record: _, ...reading } = readLiveMetrics(data, 'VPS-10001');
  expect(reading).toEqual({
    unrecognized: Object.entries(data).map(([field, value]) => ({ path: [field], value })),
  });
  expect(readLiveMetrics(data, 'vps-10002').cpuPercent).toBe(99);
});
