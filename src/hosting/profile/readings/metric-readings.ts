import { maxUptimeS } from '../values/durations.ts';
import type { Reading } from './reading.ts';

/** Rounding and measuring errors can make a share exceed the whole by up to this factor. */
export const maxShare = 1.005;
/** The smallest and largest memory or disk of a VPS. */
const mib = 2 ** 20;
const pib = 2 ** 50;

const percent = { unit: 'percent', plausible: { min: 0, max: 100 * maxShare } } as const;
/** The percentage exceeds 100 if a service adds up the cores. */
const cpuPercent = { unit: 'percent', plausible: { min: 0, max: 100 * 1_024 } } as const;
const amount = { unit: 'bytes', plausible: { min: 0, max: pib } } as const;
/** No disk in use is empty. */
const usedDisk = { unit: 'bytes', plausible: { min: 1, max: pib } } as const;
const size = { unit: 'bytes', plausible: { min: mib, max: pib } } as const;
const counter = { unit: 'bytes', plausible: { min: 0, max: 2 ** 60 } } as const;
const rate = { unit: 'bytesPerSecond', plausible: { min: 0, max: 2 ** 37 } } as const;

const live = { endpoint: 'getLiveMonitoring', type: 'number' } as const;

/** Facts about the current state of a VPS, by their names in `LiveMetrics`. */
export const liveReadings = {
  state: { id: 'live.state', label: 'Live state', ...live, type: 'text' },
  uptimeS: {
    id: 'live.uptime',
    label: 'Live uptime',
    ...live,
    unit: 'seconds',
    plausible: { min: 0, max: maxUptimeS },
  },
  cpuPercent: { id: 'live.cpu', label: 'Live CPU', ...live, ...cpuPercent },
  memoryPercent: { id: 'live.memory', label: 'Live memory', ...live, ...percent },
  memoryUsedBytes: { id: 'live.memory_used', label: 'Live memory used', ...live, ...amount },
  memoryTotalBytes: { id: 'live.memory_total', label: 'Live memory size', ...live, ...size },
  diskPercent: { id: 'live.disk', label: 'Live disk', ...live, ...percent },
  diskUsedBytes: { id: 'live.disk_used', label: 'Live disk used', ...live, ...usedDisk },
  diskTotalBytes: { id: 'live.disk_total', label: 'Live disk size', ...live, ...size },
  networkInBytesPerS: { id: 'live.network_in', label: 'Live network in', ...live, ...rate },
  networkOutBytesPerS: { id: 'live.network_out', label: 'Live network out', ...live, ...rate },
  networkInBytes: {
    id: 'live.network_in_total',
    label: 'Live data received since the start',
    ...live,
    ...counter,
  },
  networkOutBytes: {
    id: 'live.network_out_total',
    label: 'Live data sent since the start',
    ...live,
    ...counter,
  },
  diskReadBytesPerS: { id: 'live.disk_read', label: 'Live disk read', ...live, ...rate },
  diskWriteBytesPerS: { id: 'live.disk_write', label: 'Live disk write', ...live, ...rate },
  diskReadBytes: { id: 'live.disk_read_total', label: 'Live data read since the start', ...live, ...counter },
  diskWriteBytes: {
    id: 'live.disk_write_total',
    label: 'Live data written since the start',
    ...live,
    ...counter,
  },
  loadAverage: {
    id: 'live.load',
    label: 'Live load average',
    ...live,
    plausible: { min: 0, max: 100_000 },
  },
} as const satisfies Record<string, Reading>;

const history = { endpoint: 'getRrdMonitoring', type: 'series' } as const;

/** Facts about a VPS over time, by their metric. */
export const seriesReadings = {
  cpu: { id: 'rrd.cpu', label: 'CPU history', ...history, ...cpuPercent },
  memory: { id: 'rrd.memory', label: 'Memory history', ...history, ...percent },
  memoryUsed: { id: 'rrd.memory_used', label: 'Memory used history', ...history, ...amount },
  memoryTotal: { id: 'rrd.memory_total', label: 'Memory size history', ...history, ...size },
  disk: { id: 'rrd.disk', label: 'Disk history', ...history, ...percent },
  diskUsed: { id: 'rrd.disk_used', label: 'Disk used history', ...history, ...usedDisk },
  diskTotal: { id: 'rrd.disk_total', label: 'Disk size history', ...history, ...size },
  networkIn: { id: 'rrd.network_in', label: 'Network in history', ...history, ...rate },
  networkOut: { id: 'rrd.network_out', label: 'Network out history', ...history, ...rate },
  diskRead: { id: 'rrd.disk_read', label: 'Disk read history', ...history, ...rate },
  diskWrite: { id: 'rrd.disk_write', label: 'Disk write history', ...history, ...rate },
} as const satisfies Record<string, Reading>;
