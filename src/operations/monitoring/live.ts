import { formatBytes, formatPercent } from '../../charts/format/format-quantity.ts';
import { getLiveMonitoring } from '../../hosting/endpoints/monitoring.ts';
import { parseMeaning } from '../../hosting/payloads/field-words.ts';
import { type LiveMetrics, readLiveMetrics } from '../../hosting/payloads/live-metrics.ts';
import { redactResult } from '../../hosting/secret-redaction.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { defineRead } from '../define/define-operation.ts';
import type { Fact, Value } from '../define/outcome.ts';
import { formatFact, limitFacts, moreArgument } from '../format/facts.ts';
import { labelSecrets } from '../format/label-secrets.ts';
import { chooseUnitsSteps, unitNotes } from '../format/unit-question.ts';

/** Maximum number of other fields shown behind **More Fields**. */
const maxOtherFields = 100;

export const live = defineRead({
  name: 'live',
  heading: 'Live data of a VPS',
  summary: 'Show live figures of a VPS',
  arguments: { vps: vpsArgument(), more: moreArgument() },
  endpoints: [getLiveMonitoring],
  async run({ read }, { vps, more }) {
    const data = await read(getLiveMonitoring, { params: { vps_name: vps } });
    const reading = readLiveMetrics(data, vps);
    const metrics = formatMetrics(reading);
    const others = reading.unrecognized.slice(0, maxOtherFields).map(formatOtherField);
    const { facts, next } = limitFacts([...metrics, ...others], { operation: 'live', input: { vps }, more });
    return {
      title: `${vps} right now`,
      facts,
      secrets: labelSecrets(redactResult(reading.record).secrets),
      notes: [
        ...(facts.length === 0 ? ["The live figures couldn't be read from the service's response."] : []),
        ...unitNotes(reading.likely),
      ],
      next: [
        { label: 'Graph', operation: 'graph', input: { vps } },
        { label: 'Show', operation: 'show', input: { vps } },
        { label: 'Refresh', operation: 'live', input: { vps } },
        ...next,
        ...chooseUnitsSteps(reading.likely),
      ],
    };
  },
});

function formatMetrics(reading: LiveMetrics): readonly Fact[] {
  const { state, uptimeS, cpuPercent } = reading;
  const { memoryPercent, memoryUsedBytes, memoryTotalBytes } = reading;
  const { diskPercent, diskUsedBytes, diskTotalBytes } = reading;
  const facts: readonly (readonly [label: string, value: Value | undefined])[] = [
    ['State', state === undefined ? undefined : { kind: 'state', state }],
    ['CPU', cpuPercent === undefined ? undefined : { kind: 'percent', percent: cpuPercent }],
    ['Memory', formatUsage(memoryPercent, memoryUsedBytes, memoryTotalBytes)],
    ['Disk', formatUsage(diskPercent, diskUsedBytes, diskTotalBytes)],
    ['Network in', formatRate(reading.networkInBytesPerS)],
    ['Network out', formatRate(reading.networkOutBytesPerS)],
    ['Disk read', formatRate(reading.diskReadBytesPerS)],
    ['Disk written', formatRate(reading.diskWriteBytesPerS)],
    [
      'Uptime',
      uptimeS === undefined || uptimeS === 0 ? undefined : { kind: 'duration', durationMs: uptimeS * 1_000 },
    ],
  ];
  return facts.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]));
}

/** Formats usage as "61% (4.88 GiB of 8 GiB)". Unknown parts are left out. */
function formatUsage(percent?: number, used?: number, total?: number): Value | undefined {
  const amounts = [used, total].flatMap((bytes) => (bytes === undefined ? [] : [formatBytes(bytes)]));
  const amount = used === undefined && amounts.length > 0 ? `of ${amounts[0]}` : amounts.join(' of ');
  // A service that can't look inside a disk shows only the disk's size.
  if (percent === undefined && used === undefined && total !== undefined)
    return `not shown, of ${formatBytes(total)}`;
  if (percent === undefined) return amount || undefined;
  return amount ? `${formatPercent(percent)} (${amount})` : { kind: 'percent', percent };
}

function formatRate(bytesPerSecond: number | undefined): Value | undefined {
  return bytesPerSecond === undefined ? undefined : { kind: 'rate', bytesPerSecond };
}

function formatOtherField({ path, value, unit }: LiveMetrics['unrecognized'][number]): Fact {
  const fact = formatFact(path, value, { unit });
  return parseMeaning(path)?.subject === 'cores' && path.length === 1
    ? { ...fact, label: 'CPU cores' }
    : fact;
}
