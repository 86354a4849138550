import { formatAddress } from './field-address.ts';
import { isWrapperField, joinUnwrapped } from './field-words.ts';
import { type Figure, readFigures } from './figures.ts';
import { isPlausible, type KnownValue, liveValues, type RrdMetric } from './known-values.ts';
import { collectLeaves, type Leaf } from './leaves.ts';
import { type Matcher, openMatcher } from './matcher.ts';
import { parseSeconds } from './quantity.ts';
import { type ServiceRecord, toOtherFields, toText } from './record.ts';
import { isStateField, isStateGroup, removeMarkup, sortStates } from './states.ts';
import { isAboutAnotherVps, isOnlyOfOtherVps, isVpsName } from './vps-name.ts';

/** The properties of `LiveMetrics`, by metric. */
const liveFields = {
  cpu: 'cpuPercent',
  memory: 'memoryPercent',
  memoryUsed: 'memoryUsedBytes',
  memoryTotal: 'memoryTotalBytes',
  disk: 'diskPercent',
  diskUsed: 'diskUsedBytes',
  diskTotal: 'diskTotalBytes',
  networkIn: 'networkInBytesPerS',
  networkOut: 'networkOutBytesPerS',
  diskRead: 'diskReadBytesPerS',
  diskWrite: 'diskWriteBytesPerS',
} as const satisfies Readonly<Record<RrdMetric, string>>;

/** Returns the property of `LiveMetrics` that holds a live value. */
export function toLiveField(name: keyof typeof liveValues): string {
  if (name === 'state') return name;
  return name === 'uptime' ? 'uptimeS' : liveFields[name];
}

/**
 * A VPS's current metrics that could be found in an undocumented payload: percentages, bytes, and bytes
 * per second.
 */
export interface LiveMetrics extends Partial<Readonly<Record<(typeof liveFields)[RrdMetric], number>>> {
  /** The state in the service's own words. */
  readonly state?: string;
  readonly uptimeS?: number;
  /** Fields whose meaning is unknown. Possible secrets are left out. */
  readonly unrecognized: readonly UnrecognizedField[];
  /** Figures without a unit that are a metric if a person confirms their unit. */
  readonly likely?: readonly LikelyMetric[];
  readonly record: ServiceRecord;
}

/** A field whose meaning is unknown. */
export interface UnrecognizedField {
  /** Field names from the outermost field to the field itself. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** The unit that stands beside the number. */
  readonly unit?: string;
}

/** A figure without a unit, and the units that it can have. */
export interface LikelyMetric {
  readonly metric: RrdMetric;
  /** The field as a field mapping names it. */
  readonly field: string;
  readonly number: number;
  readonly units: readonly string[];
}

/**
 * Reads current metrics from a record, or from a list of names and values; both can be nested. If
 * the payload is about several VPS, only the values of `vpsName` are used.
 */
export function readLiveMetrics(data: unknown, vpsName?: string): LiveMetrics {
  const record = toOtherFields(data);
  const leaves = collectLeaves(data).filter(({ path }) => !isAboutAnotherVps(path, vpsName));
  if (isOnlyOfOtherVps(data, vpsName)) return { unrecognized: leaves.map(toUnrecognized), record };
  const matcher = openMatcher(data);
  const uptime = readValue(liveValues.uptime, leaves, matcher, readUptime);
  const state = readValue(liveValues.state, leaves, matcher, readState);
  const byFigure = new Map(leaves.flatMap(toFigure));
  const isStatus = isProxmoxStatus(leaves);
  const { read, likely } = readFigures([...byFigure.keys()], {
    matcher,
    values: metricValues,
    // A running VPS transfers more than one byte per second, so a smaller number isn't a count since the start.
    isRate: ({ values: [value = 0] }) => !isStatus && value < (uptime?.content ?? 0),
  });
  const metrics = read.flatMap(({ metric, figures, toValue }) => {
    const value = toValue(...figures.map(({ values }) => values[0]));
    if (value === undefined) return [];
    for (const { path } of figures) matcher.note(liveValues[metric], path, value);
    return [{ metric, value, from: figures.flatMap((figure) => byFigure.get(figure) ?? []) }];
  });
  const used = new Set([
    ...[uptime, state].flatMap((one) => one?.from ?? []),
    // A share of two amounts doesn't show the amounts, so they are shown too.
    ...metrics.flatMap(({ metric, from }) => (isPercent(metric) && from.length > 1 ? [] : from)),
  ]);
  return {
    ...(state && { state: state.content }),
    ...Object.fromEntries(metrics.map(({ metric, value }) => [liveFields[metric], value])),
    ...(uptime && { uptimeS: uptime.content }),
    unrecognized: leaves.filter((leaf) => !used.has(leaf) && !isVpsName(leaf.value)).map(toUnrecognized),
    likely: likely.flatMap(({ metric, figure, units }) =>
      figure.values.map((number) => ({ metric, field: formatAddress(figure.path), number, units })),
    ),
    record,
  };
}

const { state: _state, uptime: _uptime, ...metricValues } = liveValues;

/** In the status of a VM, Proxmox VE counts flows since the start. */
function isProxmoxStatus(leaves: readonly Leaf[]): boolean {
  return leaves.some(({ path }) => ['vmid', 'qmpstatus', 'pid'].includes(path.at(-1) ?? ''));
}

/** A value, and the leaves that it comes from. */
interface Read<Content> {
  readonly content: Content;
  readonly from: readonly Leaf[];
}

/** Reads a value from all leaves, or from the one that a person chose. */
function readValue<Content extends string | number>(
  known: KnownValue,
  leaves: readonly Leaf[],
  matcher: Matcher,
  read: (leaves: readonly Leaf[], isMapped: boolean) => Read<Content> | undefined,
): Read<Content> | undefined {
  const mapping = matcher.mappingOf(known);
  const own = leaves.filter(({ path }) => !mapping || formatAddress(path) === mapping.field);
  const found = read(own, mapping !== undefined);
  for (const { path } of found?.from ?? []) matcher.note(known, path, found?.content ?? '');
  return found;
}

function isPercent(metric: RrdMetric): boolean {
  return liveValues[metric].unit === 'percent';
}

function toFigure(leaf: Leaf): [Figure, Leaf][] {
  const { path, quantity } = leaf;
  if (!quantity || quantity.value < 0) return [];
  return [[{ path, values: [quantity.value], unit: quantity.unit }, leaf]];
}

function readState(leaves: readonly Leaf[], isMapped: boolean): Read<string> | undefined {
  const states = leaves.flatMap((leaf) => {
    const [field = '', ...outer] = leaf.path.toReversed();
    const isState =
      isStateField(field, outer[0]) &&
      outer.every((name) => isStateGroup(name) || isVpsName(name) || isWrapperField(name));
    const word = toText(leaf.value);
    const isText = typeof leaf.value === 'string' && isState;
    return word !== undefined && (isMapped || isText)
      ? [{ leaf, path: leaf.path, value: removeMarkup(word) }]
      : [];
  });
  const [best] = isMapped ? states : sortStates(states);
  return best && { content: best.value, from: [best.leaf] };
}

const uptimeName =
  /^(?:vm|vps|system|guest)?uptime(?:in)?(ms|millis|milliseconds|s|secs?|seconds?|minutes|hours|days)?$/;

/** Reads the uptime, which is in seconds if it has no unit. */
function readUptime(leaves: readonly Leaf[], isMapped: boolean): Read<number> | undefined {
  for (const leaf of leaves) {
    const { value, quantity, path } = leaf;
    const [field, unit] = uptimeName.exec(joinUnwrapped(path)) ?? [];
    if ((field === undefined && !isMapped) || typeof value === 'object') continue;
    const uptimeS = parseSeconds(value, unit);
    // 99.98 is hardly an uptime of 100 seconds, but a percentage.
    const isShare =
      quantity && quantity.unit === undefined && unit === undefined && !Number.isInteger(uptimeS);
    if (uptimeS === undefined || isShare || !isPlausible(liveValues.uptime, uptimeS)) continue;
    return { content: uptimeS, from: [leaf] };
  }
  return undefined;
}

function toUnrecognized({ path, value, quantity }: Leaf): UnrecognizedField {
  if (quantity?.unit === undefined) return { path, value };
  return { path, value: quantity.value, unit: quantity.unit };
}
