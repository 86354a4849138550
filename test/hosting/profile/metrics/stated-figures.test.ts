import { describe, expect, test } from 'vitest';
import {
  type LiveMetrics,
  readLiveMetrics,
} from '../../../../src/hosting/profile/metrics/live/live-metrics.ts';

const gib = 2 ** 30;

/** The figures of a payload, without states, other fields and the record. */
function statedFigures(data: unknown): Partial<LiveMetrics> {
  const { state: _state, unrecognized: _unrecognized, record: _record, ...figures } = readLiveMetrics(data);
  return figures;
}

const shownFields = (data: unknown) => readLiveMetrics(data).unrecognized.map(({ path }) => path.join('.'));

test('a unit in the words of a field name counts', () => {
  const disks = [{ dev: 'vda', capacityInMiB: 262_144 }];
  expect(statedFigures({ maxServerMemoryInMiB: 8192, disks })).toEqual({
    memoryTotalBytes: 8 * gib,
    diskTotalBytes: 256 * gib,
  });
});

test('the memory that a VPS was given is not what it uses', () => {
  const given = { currentServerMemoryInMiB: 4096, maxServerMemoryInMiB: 8192 };
  expect(statedFigures(given)).toEqual({ memoryTotalBytes: 8 * gib });
});

test.each<[Record<string, unknown>, Record<string, number>]>([
  [{ in: 5, out: 7 }, {}],
  [{ in_bytes: 5 }, { networkInBytes: 5 }],
  [{ cpu_free_percent: 40 }, {}],
  [{ cpu_limit_percent: 80 }, {}],
  [{ cpus_used_percent: 40 }, { cpuPercent: 40 }],
])('only a name that says what it is about is a figure: %j', (data, figures) => {
  expect(statedFigures(data)).toEqual(figures);
});

test('several disks are not stated as one', () => {
  expect(statedFigures({ disks: [{ capacityInMiB: 1024 }, { capacityInMiB: 2048 }] })).toEqual({});
});

test.each<[string, Record<string, unknown>]>([
  ['beside its average', { memory: { avg: gib, max: 2 * gib }, disk: { avg: 9 * gib, max: 10 * gib } }],
  ['beside its lowest value', { memory: gib, memory_max: 2 * gib, memory_min: gib / 2 }],
  ['of what is used', { memory_used_max: 2 * gib }],
])('the highest memory %s is not the size', (_, data) => {
  expect(statedFigures(data)).toEqual({});
});

test('the highest memory beside the used memory is the size', () => {
  expect(statedFigures({ memory: { used: gib, max: 2 * gib } })).toMatchObject({ memoryPercent: 50 });
  const usage = { memory: { value: '2', max: '4', unit: 'GB' }, cpu: { value: 17, unit: '%' } };
  expect(statedFigures({ usage })).toMatchObject({ memoryPercent: 50, memoryTotalBytes: 4 * gib });
});

/** The live data of Proxmox VE for a KVM machine. */
const proxmox = {
  vmid: 101,
  status: 'running',
  qmpstatus: 'running',
  cpus: 8,
  cpu: 0.9712,
  mem: 6 * gib,
  maxmem: 8 * gib,
  disk: 0,
  maxdisk: 32 * gib,
  netin: 1_234_567,
  netout: 7_654_321,
  uptime: 864_000,
};

describe('the live data of Proxmox VE', () => {
  test('has CPU from `cpu`, and cores from `cpus`', () => {
    expect(statedFigures(proxmox).cpuPercent).toBeCloseTo(97.12, 6);
    expect(shownFields(proxmox)).toContain('cpus');
  });

  test('does not show how full the disk of a KVM machine is', () => {
    expect(statedFigures(proxmox)).toMatchObject({ diskTotalBytes: 32 * gib });
    expect(statedFigures(proxmox)).not.toHaveProperty('diskPercent');
    expect(statedFigures(proxmox)).not.toHaveProperty('diskUsedBytes');
  });

  test('counts its traffic since the start', () => {
    expect(statedFigures(proxmox)).toMatchObject({ networkInBytes: 1_234_567, networkOutBytes: 7_654_321 });
    expect(statedFigures(proxmox)).not.toHaveProperty('networkInBytesPerS');
  });
});

describe('an ambiguous number', () => {
  test.each<[string, unknown]>([
    ['a fraction or a percentage', { cpu: 0.5 }],
    ['a fraction or a percentage, beside cores', { cpu: 0.5, cores: 4 }],
    ['a plan or its usage', { cpu: 2, memory: 4096, disk: 80 }],
    ['a plan in GB or percentages', { cpu: 2, memory: 4, disk: 80 }],
    ['memory in bytes that is ordered or used', { cpu: 2000, mem: 4 * gib, smp: 2 }],
    ['GB or a percentage', { disk: 80 }],
    ['GB or a percentage that is used', { disk_used: 20 }],
    ['cores that are used or their usage', { vcpus: 4 }],
    ['a limit', { cpu_max: 97, disk_write_rate_limit: 500 }],
    ['a counter or a rate', { rx: 1_234_567, tx: 7_654_321 }],
    ['more than 1 Gbit/s or a total', { net_in: 3e9 }],
    ['cores in use, of those there are', { cpu_used: 2, cpu_total: 8 }],
    ['seconds of CPU, of those allowed', { cpu: { used: 96, allowed: 3_600 } }],
    ['bytes, MB or Mbit per second', { net_in: 4, net_out: 5 }],
    ['bytes or MB per second', { net_in: 1_234.5 }],
    ['of two things at once', { cpu_memory_percent: 50, net_in_out: 4_000 }],
    ['a load average or a percentage', { load: 45 }],
    ['a load average or the CPU', { cpu_load: 1.7, cores: 4 }],
    ['a size or what is used of it', { disk: '80 GB' }],
  ])('is shown under its own name: %s', (_, data) => {
    expect(statedFigures(data)).toEqual({});
  });

  test("beside a total could be an amount or a percentage, and isn't used", () => {
    expect(statedFigures({ memory_usage: 45, memory_total: 4096 })).toEqual({});
    expect(statedFigures({ memory_usage: 1024, memory_total: 4096 })).toEqual({ memoryPercent: 25 });
    expect(statedFigures({ memory_used: 45, memory_total: 90 })).toEqual({ memoryPercent: 50 });
  });

  test('in KiB gives a percentage, but no bytes', () => {
    expect(statedFigures({ mem: 4_194_304, maxmem: 8_388_608 })).toEqual({ memoryPercent: 50 });
  });

  test('is a usage if the fields beside it are', () => {
    expect(statedFigures({ cpu: 12.5, memory: 61, disk: 70 })).toEqual({
      cpuPercent: 12.5,
      memoryPercent: 61,
      diskPercent: 70,
    });
    // Memory usage can't be as low as half a percent, and nothing beside it is a fraction.
    expect(statedFigures({ cpu: 40, memory: 0.5, disk: 70 })).toEqual({ cpuPercent: 40, diskPercent: 70 });
    // GB beside a CPU percentage.
    expect(statedFigures({ cpu: 2.5, disk: 3.827 })).toEqual({ cpuPercent: 2.5 });
  });

  test('is the available amount rather than the free one', () => {
    const data = { memory_total_gb: 8, memory_free_gb: 1, memory_available_gb: 6 };
    expect(statedFigures(data)).toMatchObject({ memoryPercent: 25 });
  });

  test('is the usage rather than its average, and the share rather than the number of cores', () => {
    expect(statedFigures({ cpu_avg_percent: 40, cpu_percent: 90 })).toEqual({ cpuPercent: 90 });
    expect(statedFigures({ cpu: 4, cpu_usage: 90 })).toEqual({ cpuPercent: 90 });
  });

  test('is a percentage of CPU if it exceeds the limit, or if the limit is 100', () => {
    expect(statedFigures({ cpu_usage: 35, cpu_limit: 2 })).toEqual({ cpuPercent: 35 });
    expect(statedFigures({ cpu_usage: 35, cpu_limit: 100 })).toEqual({ cpuPercent: 35 });
  });
});

describe('an implausible reading', () => {
  test.each<[string, Record<string, unknown>]>([
    ['more than 100%', { memory_percent: 161, disk_percent: 4200 }],
    ['CPU beyond all cores', { cpu_percent: 950, cores: 4 }],
    ['CPU that no VPS has', { cpu_percent: 9712 }],
    ['a share as a percentage', { memory_ratio: 61 }],
    ['a negative number', { memory_percent: -3, disk_used_gb: -1, uptime: -5, netin: -7 }],
    ['more used than there is', { memory: { used: '9 GB', total: '4 GB' } }],
    ['an empty disk', { disk_percent: 0 }],
    ['a start as an uptime', { uptime: 1_763_700_000 }],
    ['a negative load', { load1: -1, load5: -1, load15: -1 }],
  ])('is not stated, and its fields are shown: %s', (_, data) => {
    expect(statedFigures(data)).toEqual({});
    expect(shownFields(data).length).toBeGreaterThan(0);
  });

  test('does not hide the plausible ones', () => {
    expect(statedFigures({ memory_percent: 161, memory_used_gb: 1, memory_total_gb: 4 })).toMatchObject({
      memoryPercent: 25,
    });
    expect(statedFigures({ cpu_percent: 350, cores: 4 })).toEqual({ cpuPercent: 350 });
  });

  test('is 0 memory in a running VPS, but not in a stopped one', () => {
    expect(statedFigures({ cpu_percent: 12, mem: 0, maxmem: 4 * gib })).not.toHaveProperty('memoryPercent');
    expect(statedFigures({ cpu_percent: 0, mem: 0, maxmem: 4 * gib })).toMatchObject({ memoryPercent: 0 });
  });
});

describe('the state in live data', () => {
  test.each<[unknown, string | undefined]>([
    [{ power: { state: 'off' } }, 'off'],
    [{ power: 'on' }, 'on'],
    [{ instance: { status: 'stopped' } }, 'stopped'],
    [{ runtime: { power_state: 'poweredOff' } }, 'poweredOff'],
    [{ status: 'active', power_status: 'stopped', server_status: 'ok' }, 'stopped'],
    [{ status: 'success', vmstat: 'online' }, 'online'],
    [{ status: 'success' }, undefined],
    [{ state: { code: 80, name: 'stopped' } }, 'stopped'],
    [{ disk: { state: 'ok' } }, undefined],
  ])('is the power state: %j', (data, state) => {
    expect(readLiveMetrics(data).state).toBe(state);
  });
});
