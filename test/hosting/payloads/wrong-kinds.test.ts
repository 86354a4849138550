import { describe, expect, test } from 'vitest';
import { readPages } from '../../../src/hosting/client/paged-read.ts';
import { saysNone } from '../../../src/hosting/payloads/entries.ts';
import { readRrdHistory } from '../../../src/hosting/payloads/history.ts';
import { type LiveMetrics, readLiveMetrics } from '../../../src/hosting/payloads/live-metrics.ts';
import { readPaging } from '../../../src/hosting/payloads/pages.ts';
import { readReinstallOptions } from '../../../src/hosting/payloads/reinstall-options.ts';
import { readVpsList } from '../../../src/hosting/payloads/vps.ts';

const vpsName = 'VPS-10001';
const times = [0, 1, 2, 3].map((minute) => 1_795_240_800 + minute * 60);

/** Returns what is stated about a VPS, without the fields that are only shown. */
function readFigures(payload: unknown): Partial<LiveMetrics> {
  const {
    record: _record,
    unrecognized: _others,
    likely: _likely,
    ...figures
  } = readLiveMetrics(payload, vpsName);
  return figures;
}

describe('a live figure', () => {
  test.each<[string, unknown, Partial<LiveMetrics>]>([
    [
      'has the unit beside its values',
      { memory: { unit: 'MiB', values: [{ timestamp: times[0], value: 98 }] } },
      {},
    ],
    ['in cores is no percentage', { cpu: { unit: 'cores', value: 1.5 } }, {}],
    ['without a unit is unknown', { cpu: 12.5, mem: 55, netin: 100 }, {}],
    ['is no price', { price_hour: 0.9 }, {}],
    ['beside a unit', { cpu: { value: 12, unit: '%' } }, { cpuPercent: 12 }],
    ['with a unit in its name', { cpu_percent: 12 }, { cpuPercent: 12 }],
    ['from used and total', { memory: { used: 1, total: 4 } }, { memoryPercent: 25 }],
    [
      'from used and the most that can be, beside an average of something else',
      { memory: { used_bytes: 1e9, max_bytes: 4e9 }, load_average: 0.5 },
      { memoryUsedBytes: 1e9, memoryTotalBytes: 4e9, memoryPercent: 25 },
    ],
    [
      'of Proxmox',
      { cpu: 0.25, maxcpu: 2, mem: 2 ** 30, maxmem: 2 ** 31, disk: 0, maxdisk: 2 ** 35, vmid: 1 },
      {
        cpuPercent: 25,
        memoryUsedBytes: 2 ** 30,
        memoryTotalBytes: 2 ** 31,
        memoryPercent: 50,
        diskTotalBytes: 2 ** 35,
      },
    ],
    [
      'of the CPU without its cores',
      { cpu: 1.2, mem: 2 ** 30, maxmem: 2 ** 31 },
      { memoryUsedBytes: 2 ** 30, memoryTotalBytes: 2 ** 31, memoryPercent: 50 },
    ],
    ['of its host', { state: 'running', node: { name: 'hv1', cpu_percent: 97 } }, { state: 'running' }],
    ['of the only node', { node: { cpu_percent: 97 } }, {}],
    ['of another VPS', { vps: { vps_name: 'VPS-99999', cpu_percent: 97 } }, {}],
    ['of another VPS in a list', [{ vps_name: 'VPS-99999', cpu_percent: 97 }], {}],
    ['about how busy a disk is', { disk_io_percent: 97, disk_busy_percent: 97 }, {}],
    ['about the use of a disk', { disk: { util_percent: 97 } }, {}],
    ['about bandwidth', { memory_bandwidth_percent: 97, cpu_io_percent: 97 }, {}],
    ['about the use of the CPU', { cpu_util_percent: 12 }, { cpuPercent: 12 }],
    ['with two units', { unit: '%', cpu: 12, memory_mb: 98 }, { cpuPercent: 12 }],
    ['with two sizes of unit', { unit: 'GB', memory_used_mb: 98 }, {}],
    ['in bytes per second', { networkInMBps: 10 }, { networkInBytesPerS: 10 * 2 ** 20 }],
    [
      'in bits per second',
      { networkInMbps: 10, network_out_mbps: 10 },
      { networkInBytesPerS: 1_250_000, networkOutBytesPerS: 1_250_000 },
    ],
    ['in bits or bytes', { network_in_kb_per_sec: 10, NETWORK_OUT_MBPS: 10 }, {}],
    ['as text', { cpu_percent: '12.5' }, { cpuPercent: 12.5 }],
    [
      'in a prototype',
      JSON.parse('{"__proto__":{"cpu_percent":5},"memory_percent":7}'),
      { memoryPercent: 7 },
    ],
  ])('%s', (_name, payload, expected) => {
    expect(readFigures(payload)).toEqual(expected);
  });
});

describe('a history', () => {
  const columns = (payload: unknown) =>
    readRrdHistory(payload, vpsName).series.map(({ metric, key, unit, points }) => [
      metric ?? key,
      unit,
      points.map(({ value }) => value),
    ]);

  test.each<[string, unknown, unknown]>([
    [
      'with a unit beside its values',
      { memory: { unit: 'MiB', values: times.map((timestamp, n) => ({ timestamp, value: 98 + n })) } },
      [['memory', 'bytes', [0, 1, 2, 3].map((n) => (98 + n) * 2 ** 20)]],
    ],
    [
      'with percentages that are impossible',
      { cpu_percent: times.map((t, index) => ({ t, v: [5_000_000, -1_000, 'NaN', 12][index] })) },
      [['cpu_percent', 'number', [5_000_000, -1_000, null, 12]]],
    ],
    [
      'with a counter that resets',
      { rx_bytes: [5e9, 6e9, 100, 200].map((value, index) => [times[index], value]) },
      [['rx_bytes', 'number', [5e9, 6e9, 100, 200]]],
    ],
  ])('%s', (_name, payload, expected) => {
    expect(columns(payload)).toEqual(expected);
  });

  test.each<[string, unknown]>([
    ['another VPS', { vps: { vps_name: 'VPS-99999', cpu_percent: times.map((t) => ({ t, v: 97 })) } }],
    ['another VPS in a list', [{ vps_name: 'VPS-99999', cpu_percent: times.map((t) => ({ t, v: 97 })) }]],
    ['a host', { node: { cpu_percent: times.map((t) => ({ t, v: 97 })) }, state: 'running' }],
  ])('of %s has no figures', (_name, payload) => {
    const { series } = readRrdHistory(payload, vpsName);
    expect(series.filter(({ metric }) => metric !== undefined)).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['a list of dates and one of values', { cpu: { date: times, value: [1, 2, 3, 4] } }],
    ['no times', { start: times[0], end: times[3], series: [{ label: 'CPU', unit: '%', data: [1, 2, 3] }] }],
    ['a step', { start: times[0], step: 60, series: [{ label: 'CPU', unit: '%', data: [1, 2, 3] }] }],
  ])('with %s is not said to be empty, and is shown as it is', (_name, payload) => {
    expect(readRrdHistory(payload, vpsName)).toMatchObject({
      series: [],
      isEmpty: false,
      otherFields: payload,
    });
  });

  test('shows no use of a disk that the service only knows the size of', () => {
    const rows = times.map((time) => ({
      time,
      cpu: 0.1,
      mem: 2 ** 30,
      maxmem: 2 ** 31,
      disk: 0,
      maxdisk: 2 ** 35,
    }));
    expect(readRrdHistory(rows, vpsName).series.map(({ metric }) => metric)).not.toContain('diskUsed');
    expect(readRrdHistory(rows, vpsName).series.map(({ metric }) => metric)).not.toContain('disk');
  });

  test.each<[unknown, boolean]>([
    [[], true],
    [{ points: [] }, true],
    [{ points: null }, false],
    [{ points: [{ time: 1_795_240_800 }] }, false],
    [{}, false],
  ])('of %j has no points: %s', (payload, isEmpty) => {
    const history = readRrdHistory(payload, vpsName);
    expect([history.series, history.isEmpty]).toEqual([[], isEmpty]);
  });
});

test.each<[unknown, boolean]>([
  [{ snapshots: { nightly: '2026-11-01T02:00:00Z' }, filters: [] }, false],
  [{ servers: { 'VPS-10002': { state: 'running', tags: [] } }, meta: { page: 2, pages: 4 } }, false],
  [{ servers: { 'VPS-10002': { tags: [] } } }, false],
  [{ servers: ['VPS-10002'], tags: [] }, false],
  [{ snapshots: { nightly: { size: 3, tags: [] } } }, false],
  [{ snapshots: [], meta: { total: 3 } }, false],
  [{ snapshots: [], meta: { page: 5, pages: 4 }, links: [{ rel: 'self' }] }, true],
  [{ vps_name: vpsName, snapshots: { manual: [], daily: [] }, quota: { used: 0, max: 5 } }, true],
])('%j says that there is nothing: %s', (payload, isNone) => {
  expect(saysNone(payload)).toBe(isNone);
});

test('a page with a map of VPS is not the last one', async () => {
  const toPage = (page: number) => {
    const data = {
      servers: { [`VPS-1000${page}`]: { state: 'running', tags: [] } },
      meta: { page, pages: 4 },
    };
    return { data, size: 0, paging: readPaging(data), atMs: 0 };
  };
  const data = await readPages(toPage(1), {
    loadNext: async (next) => toPage(next.kind === 'query' ? Number(next.value) : 0),
  });
  const { vps, hasMore } = readVpsList(data);
  expect([vps.length, hasMore]).toEqual([4, false]);
});

test('systems to install are not the names of properties', () => {
  const image = {
    fingerprint: 'ed56',
    aliases: [{ name: 'debian/12' }],
    architecture: 'x86_64',
    public: true,
  };
  const { operatingSystems } = readReinstallOptions({ images: [image] });
  expect(operatingSystems.map(({ os }) => os)).toEqual(['debian/12']);
});

test('a version below the name of its distribution is not a system', () => {
  const payload = { systems: { linux: { debian: ['12', '13'], ubuntu: ['ubuntu-24.04'] } } };
  const { operatingSystems } = readReinstallOptions(payload);
  expect(operatingSystems.map(({ os }) => os)).toEqual(['ubuntu-24.04']);
});
