import { secondsOf } from './durations.ts';
import { type Leaf, leavesOf } from './leaves.ts';
import { asRest } from './lists.ts';
import { liveShares } from './live-shares.ts';
import { isWrapping, meaningOf } from './measures.ts';
import { numberOf } from './numbers.ts';
import { bare, isOfAnother, isVpsName, type ServiceRecord, stateFields } from './records.ts';
import { areTotals, type Flow, flowIn, type MeasuredLeaf } from './shares.ts';

/** How a VPS is doing right now, as far as a payload of unknown shape tells. A flow is a rate or, where it counts from the start, a total. */
export interface LiveReading {
  /** The service's own word. */
  readonly state?: string;
  readonly uptimeS?: number;
  /** 0 to 100; some services count each core and go beyond. */
  readonly cpuPercent?: number;
  readonly memoryUsedBytes?: number;
  readonly memoryTotalBytes?: number;
  readonly memoryPercent?: number;
  readonly diskUsedBytes?: number;
  readonly diskTotalBytes?: number;
  readonly diskPercent?: number;
  readonly networkInBytesPerS?: number;
  readonly networkOutBytesPerS?: number;
  readonly networkInBytes?: number;
  readonly networkOutBytes?: number;
  readonly diskReadBytesPerS?: number;
  readonly diskWriteBytesPerS?: number;
  readonly diskReadBytes?: number;
  readonly diskWriteBytes?: number;
  /** Over 1, 5 and 15 minutes, or fewer of them. */
  readonly loadAverage?: readonly number[];
  /** What nobody has heard of, under its own path; what may be a secret is not among them. */
  readonly others: readonly OtherReading[];
  readonly record: ServiceRecord;
}

/** A field that has no place in a reading. */
export interface OtherReading {
  /** From the outside in; for a readable name. */
  readonly path: readonly string[];
  readonly value: string | number | boolean;
}

/**
 * Reads how a VPS is doing, from a record, a list of names and values, or either within others. Where the payload is about
 * several VPS, only what belongs to `vpsName` counts.
 */
export function readLive(data: unknown, vpsName?: string): LiveReading {
  const leaves = leavesOf(data).filter(({ path }) => !isOfAnother(path, vpsName));
  const measured = leaves.flatMap((leaf): MeasuredLeaf[] => {
    const meaning = leaf.quantity && leaf.quantity.value >= 0 ? meaningOf(leaf.path) : undefined;
    return leaf.quantity && meaning ? [{ leaf, meaning, quantity: leaf.quantity }] : [];
  });
  const shares = liveShares(measured);
  const flows = liveFlows(measured);
  const rest = leaves.filter((leaf) => !shares.used.has(leaf) && !flows.used.has(leaf));
  const state = rest.find(isState);
  const uptime = rest
    .map((leaf) => ({ leaf, uptimeS: uptimeIn(leaf) }))
    .find(({ uptimeS }) => uptimeS !== undefined);
  const load = loadIn(rest);
  const others = rest.filter(
    (leaf) =>
      leaf !== state && leaf !== uptime?.leaf && !load.leaves.includes(leaf) && !isVpsName(leaf.value),
  );
  return {
    ...(typeof state?.value === 'string' && { state: state.value }),
    ...(uptime?.uptimeS !== undefined && { uptimeS: uptime.uptimeS }),
    ...shares.reading,
    ...flows.reading,
    ...(load.values.length > 0 && { loadAverage: load.values }),
    others: others.map(otherOf),
    record: asRest(data),
  };
}

type FlowFields = Pick<
  LiveReading,
  | 'networkInBytesPerS'
  | 'networkOutBytesPerS'
  | 'networkInBytes'
  | 'networkOutBytes'
  | 'diskReadBytesPerS'
  | 'diskWriteBytesPerS'
  | 'diskReadBytes'
  | 'diskWriteBytes'
>;

const flowSubjects = ['networkIn', 'networkOut', 'diskRead', 'diskWrite'] as const;

/** Reads rates and totals. A flow that tells neither is what the largest such flow shows all of them to be. */
function liveFlows(measured: readonly MeasuredLeaf[]): {
  readonly reading: FlowFields;
  readonly used: Set<Leaf>;
} {
  const flows = measured.flatMap((each) => {
    const subject = flowSubjects.find((flow) => flow === each.meaning.subject);
    const flow = subject && flowIn(each);
    return subject && flow ? [{ leaf: each.leaf, subject, ...flow }] : [];
  });
  const unknown = flows.filter(({ per }) => per === 'unknown');
  const isTotal = ({ per }: Flow) =>
    per === 'start' || (per === 'unknown' && areTotals(unknown.map(({ bytes }) => bytes)));
  const used = new Set<Leaf>();
  const entries = flows.flatMap((flow) => {
    const field = `${flow.subject}${isTotal(flow) ? 'Bytes' : 'BytesPerS'}` as const;
    const isFirst =
      flows.find((other) => other.subject === flow.subject && isTotal(other) === isTotal(flow)) === flow;
    if (!isFirst) return [];
    used.add(flow.leaf);
    return [[field, flow.bytes] as const];
  });
  return { reading: Object.fromEntries(entries), used };
}

function isState({ path, value }: Leaf): boolean {
  const isStateField = (field: string) => stateFields.includes(bare(field));
  return (
    typeof value === 'string' &&
    isStateField(path.at(-1) ?? '') &&
    path.every((field) => isStateField(field) || isVpsName(field) || isWrapping(field))
  );
}

/** The bare names of a place, without what is only a wrapping: what a part of the VPS tells is not about all of it. */
function unwrapped(path: readonly string[]): string {
  return path
    .filter((field) => !isWrapping(field))
    .map(bare)
    .join('');
}

const uptimeField =
  /^(?:vm|vps|system|guest)?uptime(?:in)?(ms|millis|milliseconds|s|secs?|seconds?|minutes|hours|days)?$/;

function uptimeIn({ path, value, quantity }: Leaf): number | undefined {
  const [field, unit] = uptimeField.exec(unwrapped(path)) ?? [];
  if (field === undefined || typeof value === 'object') return undefined;
  return secondsOf(value, quantity?.unit ?? unit);
}

const loadField = /^(?:sys|system)?load(?:avg|average|averages)?$/;
const loadOverMinutes = /^(?:sys|system)?load(?:avg|average|averages)?(1|5|15)(?:m|min|minutes?)?$/;

/** Reads load averages: a list of up to three, a text with them, or a field for each. */
function loadIn(leaves: readonly Leaf[]): {
  readonly values: readonly number[];
  readonly leaves: readonly Leaf[];
} {
  for (const leaf of leaves) {
    const values = loadField.test(unwrapped(leaf.path)) ? numbersIn(leaf.value) : [];
    if (values.length > 0 && values.length <= 3) return { values, leaves: [leaf] };
  }
  const found = leaves.flatMap((leaf) => {
    const [, minutes] = loadOverMinutes.exec(unwrapped(leaf.path)) ?? [];
    const value = numberOf(leaf.value);
    return minutes === undefined || value === undefined ? [] : [{ leaf, minutes: Number(minutes), value }];
  });
  const sorted = found.toSorted((a, b) => a.minutes - b.minutes);
  return { values: sorted.map(({ value }) => value), leaves: sorted.map(({ leaf }) => leaf) };
}

function numbersIn(value: Leaf['value']): number[] {
  const parts = typeof value === 'string' ? value.split(/[\s,/]+/) : [value].flat();
  const numbers = parts.map(numberOf);
  return numbers.includes(undefined) ? [] : numbers.flatMap((number) => number ?? []);
}

function otherOf({ path, value }: Leaf): OtherReading {
  return { path, value: typeof value === 'object' ? value.join(', ') : value };
}
