import { type LiveMetrics, readLiveMetrics } from '../metrics/live-metrics.ts';
import { readRrdHistory } from '../metrics/rrd-history.ts';
import type { RrdMetric } from '../metrics/rrd-series.ts';
import { formatIsoTime, type Reading, type ReadingValue, rememberByPayload } from './reading.ts';

const parseLive = rememberByPayload(readLiveMetrics);
const parseHistory = rememberByPayload(readRrdHistory);

const percent = { unit: 'percent', plausible: { min: 0, max: 100 } } as const;
/** The percentage exceeds 100 if a service adds up the cores. */
const cpuPercent = { unit: 'percent', plausible: { min: 0, max: 100 * 1_024 } } as const;
const bytes = { unit: 'bytes', plausible: { min: 0, max: 2 ** 60 } } as const;
const bytesPerSecond = { unit: 'bytesPerSecond', plausible: { min: 0, max: 2 ** 40 } } as const;
const seconds = { unit: 'seconds', plausible: { min: 0, max: 3_153_600_000 } } as const;

type LiveField = Exclude<keyof LiveMetrics, 'unrecognized' | 'record'>;

function liveReading(
  name: string,
  field: LiveField,
  about: Pick<Reading, 'label' | 'canonicalField'> & Partial<Reading>,
): Reading {
  return {
    id: `live.${name}`,
    endpoint: 'getLiveMonitoring',
    type: 'number',
    read: (data, vpsName) => parseLive(data, vpsName)[field],
    ...about,
  };
}

/** Facts about the current state of a VPS. */
export const liveReadings: readonly Reading[] = [
  liveReading('state', 'state', { label: 'Live: state', type: 'text', canonicalField: 'state' }),
  liveReading('uptime', 'uptimeS', { label: 'Live: uptime', ...seconds, canonicalField: 'uptime' }),
  liveReading('cpu', 'cpuPercent', { label: 'Live: CPU', ...cpuPercent, canonicalField: 'cpu' }),
  liveReading('memory', 'memoryPercent', {
    label: 'Live: memory',
    ...percent,
    canonicalField: 'memory',
    canonicalUnit: 'percent',
  }),
  liveReading('memory_used', 'memoryUsedBytes', {
    label: 'Live: memory used',
    ...bytes,
    canonicalField: 'memory_used',
  }),
  liveReading('memory_total', 'memoryTotalBytes', {
    label: 'Live: memory, total',
    ...bytes,
    canonicalField: 'memory_total',
  }),
  liveReading('disk', 'diskPercent', {
    label: 'Live: disk',
    ...percent,
    canonicalField: 'disk',
    canonicalUnit: 'percent',
  }),
  liveReading('disk_used', 'diskUsedBytes', {
    label: 'Live: disk used',
    ...bytes,
    canonicalField: 'disk_used',
  }),
  liveReading('disk_total', 'diskTotalBytes', {
    label: 'Live: disk, total',
    ...bytes,
    canonicalField: 'disk_total',
  }),
  liveReading('network_in', 'networkInBytesPerS', {
    label: 'Live: network in',
    ...bytesPerSecond,
    canonicalField: 'network_in_rate',
  }),
  liveReading('network_out', 'networkOutBytesPerS', {
    label: 'Live: network out',
    ...bytesPerSecond,
    canonicalField: 'network_out_rate',
  }),
  liveReading('network_in_total', 'networkInBytes', {
    label: 'Live: received since the start',
    ...bytes,
    canonicalField: 'network_in',
    canonicalUnit: 'bytes',
  }),
  liveReading('network_out_total', 'networkOutBytes', {
    label: 'Live: sent since the start',
    ...bytes,
    canonicalField: 'network_out',
    canonicalUnit: 'bytes',
  }),
  liveReading('disk_read', 'diskReadBytesPerS', {
    label: 'Live: disk read',
    ...bytesPerSecond,
    canonicalField: 'disk_read_rate',
  }),
  liveReading('disk_write', 'diskWriteBytesPerS', {
    label: 'Live: disk write',
    ...bytesPerSecond,
    canonicalField: 'disk_write_rate',
  }),
  liveReading('disk_read_total', 'diskReadBytes', {
    label: 'Live: read since the start',
    ...bytes,
    canonicalField: 'disk_read',
    canonicalUnit: 'bytes',
  }),
  liveReading('disk_write_total', 'diskWriteBytes', {
    label: 'Live: written since the start',
    ...bytes,
    canonicalField: 'disk_write',
    canonicalUnit: 'bytes',
  }),
  liveReading('load', 'loadAverage', { label: 'Live: load average', canonicalField: 'load_average' }),
];

function summarizeSeries(data: unknown, vpsName: string, metric: RrdMetric): ReadingValue | undefined {
  const series = parseHistory(data, vpsName).series.find((each) => each.metric === metric);
  const measured = (series?.points ?? []).flatMap(({ timeMs, value }) =>
    value === null ? [] : [{ timeMs, value }],
  );
  const [first, last] = [measured[0], measured.at(-1)];
  return first && last && { from: formatIsoTime(first.timeMs), count: measured.length, last: last.value };
}

function seriesReading(
  name: string,
  metric: RrdMetric,
  about: Pick<Reading, 'label' | 'canonicalField'> & Partial<Reading>,
): Reading {
  return {
    id: `rrd.${name}`,
    endpoint: 'getRrdMonitoring',
    type: 'series',
    read: (data, vpsName) => summarizeSeries(data, vpsName, metric),
    ...about,
  };
}

/** Facts about a VPS over time. */
export const seriesReadings: readonly Reading[] = [
  seriesReading('cpu', 'cpu', { label: 'History: CPU', ...cpuPercent, canonicalField: 'cpu' }),
  seriesReading('memory', 'memory', {
    label: 'History: memory',
    ...percent,
    canonicalField: 'memory',
    canonicalUnit: 'percent',
  }),
  seriesReading('memory_used', 'memoryUsed', {
    label: 'History: memory used',
    ...bytes,
    canonicalField: 'memory_used',
  }),
  seriesReading('memory_total', 'memoryTotal', {
    label: 'History: memory, total',
    ...bytes,
    canonicalField: 'memory_total',
  }),
  seriesReading('disk', 'disk', {
    label: 'History: disk',
    ...percent,
    canonicalField: 'disk',
    canonicalUnit: 'percent',
  }),
  seriesReading('disk_used', 'diskUsed', {
    label: 'History: disk used',
    ...bytes,
    canonicalField: 'disk_used',
  }),
  seriesReading('disk_total', 'diskTotal', {
    label: 'History: disk, total',
    ...bytes,
    canonicalField: 'disk_total',
  }),
  seriesReading('network_in', 'networkIn', {
    label: 'History: network in',
    ...bytesPerSecond,
    canonicalField: 'network_in_rate',
  }),
  seriesReading('network_out', 'networkOut', {
    label: 'History: network out',
    ...bytesPerSecond,
    canonicalField: 'network_out_rate',
  }),
  seriesReading('disk_read', 'diskRead', {
    label: 'History: disk read',
    ...bytesPerSecond,
    canonicalField: 'disk_read_rate',
  }),
  seriesReading('disk_write', 'diskWrite', {
    label: 'History: disk write',
    ...bytesPerSecond,
    canonicalField: 'disk_write_rate',
  }),
];
