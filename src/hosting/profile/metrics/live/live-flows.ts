import type { Leaf } from '../../payload/leaves.ts';
import type { FoundMetric, MetricField } from '../found-metric.ts';
import { canBeLargerUnit, type Flow, type LeafMeasurement, toFlow } from '../measurements.ts';

const flowSubjects = ['networkIn', 'networkOut', 'diskRead', 'diskWrite'] as const;

interface LiveFlow extends Flow {
  readonly leaf: Leaf;
  readonly subject: (typeof flowSubjects)[number];
  /** Whether services that use its name count since the start. */
  readonly isCounter: boolean;
}

/** Reads rates and totals. A flow that could be either is left out. */
export function readLiveFlows(
  measured: readonly LeafMeasurement[],
  leaves: readonly Leaf[],
): readonly FoundMetric[] {
  const flows = measured.flatMap((each): LiveFlow[] => {
    const subject = flowSubjects.find((flow) => flow === each.meaning.subject);
    const flow = subject && toFlow(each);
    return subject && flow ? [{ ...flow, leaf: each.leaf, subject, isCounter: each.meaning.isCounter }] : [];
  });
  const periodOf = createPeriodRule(flows, leaves);
  const found = new Map<MetricField, FoundMetric>();
  for (const flow of flows) {
    const per = flow.per === 'unknown' ? periodOf(flow) : flow.per;
    const field = `${flow.subject}${per === 'start' ? 'Bytes' : 'BytesPerS'}` as const;
    if (per === undefined || found.has(field)) continue;
    const isCertain = flow.per !== 'unknown';
    found.set(field, { field, value: flow.bytes, leaves: [flow.leaf], isCertain });
  }
  return [...found.values()];
}

/** 1 Gbit/s and 100 Gbit/s. A flow between them can be a rate or a total. A larger flow is a total. */
const maxUsualBytesPerS = 125e6;
const maxBytesPerS = 12.5e9;

/** Matches fields of Proxmox VE's status, in which flows such as `netin` count since the start. */
const proxmoxField = /^(vmid|qmpstatus|pid|cpus)$/;

/**
 * Returns a function that decides whether a flow is per second or a total since the start, if its
 * name and unit leave that open.
 */
function createPeriodRule(
  flows: readonly LiveFlow[],
  leaves: readonly Leaf[],
): (flow: LiveFlow) => 'second' | 'start' | undefined {
  const largest = flows.reduce((max, { per, bytes }) => (per === 'unknown' ? Math.max(max, bytes) : max), 0);
  if (largest > maxBytesPerS) return () => 'start';
  if (leaves.some(({ path }) => proxmoxField.test(path.at(-1) ?? ''))) return () => 'start';
  if (largest > maxUsualBytesPerS) return () => undefined;
  const hasRates = flows.some(({ per }) => per === 'second');
  if (!hasRates && canBeLargerUnit(flows.map(({ bytes }) => bytes))) return () => undefined;
  return ({ isCounter }) => (isCounter && !hasRates ? undefined : 'second');
}
