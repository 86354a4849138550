import { formatBytes, formatPercent } from '../../charts/figures.ts';
import { getLiveMonitoring } from '../../hosting/endpoints/monitoring.ts';
import { type LiveReading, readLive } from '../../hosting/readings/live.ts';
import { meaningOf } from '../../hosting/readings/measures.ts';
import { readResultSecrets } from '../../hosting/readings/results.ts';
import { vpsArgument } from '../argument.ts';
import { readFact } from '../facts.ts';
import { nameSecrets } from '../name-secrets.ts';
import { defineRead } from '../operation.ts';
import type { Fact, Value } from '../outcome.ts';

/** Of fields that nobody has heard of, so many are shown. */
const mostOthers = 20;

export const live = defineRead({
  name: 'live',
  heading: 'Live data of a VPS',
  summary: 'Show how a VPS is doing right now',
  arguments: { vps: vpsArgument() },
  uses: [getLiveMonitoring],
  async run({ read }, { vps }) {
    const reading = readLive(await read(getLiveMonitoring, { params: { vps_name: vps } }), vps);
    const facts = [...figures(reading), ...reading.others.slice(0, mostOthers).map(otherFact)];
    const more = reading.others.length - mostOthers;
    return {
      title: `${vps} right now`,
      facts,
      secrets: nameSecrets(readResultSecrets(reading.record).secrets),
      notes: [
        ...(facts.length === 0 ? ['The service has no live data of this VPS.'] : []),
        ...(more > 0 ? [`${more} more fields are not shown.`] : []),
      ],
      next: [
        { label: 'Graph', operation: 'graph', input: { vps } },
        { label: 'Show', operation: 'show', input: { vps } },
        { label: 'Live Again', operation: 'live', input: { vps } },
      ],
    };
  },
});

function figures(reading: LiveReading): readonly Fact[] {
  const { state, uptimeS, cpuPercent, loadAverage } = reading;
  const { memoryPercent, memoryUsedBytes, memoryTotalBytes } = reading;
  const { diskPercent, diskUsedBytes, diskTotalBytes } = reading;
  const facts: readonly (readonly [label: string, value: Value | undefined])[] = [
    ['State', state === undefined ? undefined : { state }],
    ['CPU', cpuPercent === undefined ? undefined : { percent: cpuPercent }],
    ['Load average', loadAverage?.join(', ')],
    ['Memory', share(memoryPercent, memoryUsedBytes, memoryTotalBytes)],
    ['Disk', share(diskPercent, diskUsedBytes, diskTotalBytes)],
    ['Network in', flow(reading.networkInBytesPerS, reading.networkInBytes)],
    ['Network out', flow(reading.networkOutBytesPerS, reading.networkOutBytes)],
    ['Disk read', flow(reading.diskReadBytesPerS, reading.diskReadBytes)],
    ['Disk written', flow(reading.diskWriteBytesPerS, reading.diskWriteBytes)],
    ['Uptime', uptimeS === undefined || uptimeS === 0 ? undefined : { durationMs: uptimeS * 1_000 }],
  ];
  return facts.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]));
}

/** Writes what is used of a whole: "61 % (4.88 GiB of 8 GiB)", or as much of that as is known. */
function share(percent?: number, used?: number, total?: number): Value | undefined {
  const amounts = [used, total].flatMap((bytes) => (bytes === undefined ? [] : [formatBytes(bytes)]));
  const amount = used === undefined && amounts.length > 0 ? `of ${amounts[0]}` : amounts.join(' of ');
  if (percent === undefined) return amount || undefined;
  return amount ? `${formatPercent(percent)} (${amount})` : { percent };
}

/** A flow is a rate, or a total since the start of the VPS. */
function flow(bytesPerSecond: number | undefined, bytes: number | undefined): Value | undefined {
  if (bytesPerSecond !== undefined) return { bytesPerSecond };
  return bytes === undefined ? undefined : `${formatBytes(bytes)} in all`;
}

function otherFact({ path, value }: LiveReading['others'][number]): Fact {
  const fact = readFact(path, value);
  return meaningOf(path)?.subject === 'cores' && path.length === 1 ? { ...fact, label: 'CPU cores' } : fact;
}
