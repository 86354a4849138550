import { containsSecret, isSecretFieldName, redactUrlPasswords } from '../secret-detection.ts';
import { formatAddress } from './field-mapping.ts';
import { isWrapperField, joinUnwrapped } from './field-words.ts';
import { type Figure, type LikelyFigure, readFigures } from './figures.ts';
import { isPlausible, type KnownValue, liveValues, type RrdMetric } from './known-values.ts';
import { type Matcher, openMatcher } from './matcher.ts';
import { parseNumber, parseQuantity, parseSeconds } from './quantity.ts';
import {
  findText,
  isEmpty,
  isRecord,
  isStateField,
  isStateGroup,
  isStateWord,
  type Scalar,
  type ServiceRecord,
  sortStates,
  toOtherFields,
  toText,
} from './record.ts';
import { findOwner, isAboutAnotherVps, isOnlyOfOtherVps, isVpsName } from './vps-name.ts';

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

/** A VPS's current metrics, as far as found in an undocumented payload: percentages, bytes, and bytes per second. */
export interface LiveMetrics extends Partial<Readonly<Record<(typeof liveFields)[RrdMetric], number>>> {
  /** The state in the service's own words. */
  readonly state?: string;
  readonly uptimeS?: number;
  /** Values whose meaning is unknown. Possible secrets are left out. */
  readonly unrecognized: readonly Leaf[];
  readonly likely?: readonly LikelyFigure[];
  readonly record: ServiceRecord;
}

/** A single value somewhere in a payload, or a list of them. */
export interface Leaf {
  /** Field names from the outermost field to the field itself. */
  readonly path: readonly string[];
  readonly value: Scalar | readonly Scalar[];
  /** The unit given next to the number. */
  readonly unit?: string;
}

/**
 * Reads current metrics from a record, or from a list of names and values; both can be nested. If the payload
 * covers several VPS, uses only the values for `vpsName`.
 */
export function readLiveMetrics(data: unknown, vpsName?: string): LiveMetrics {
  const record = toOtherFields(data);
  const leaves = collectLeaves(data).filter(({ path }) => !isAboutAnotherVps(path, vpsName));
  if (isOnlyOfOtherVps(data, vpsName)) return { unrecognized: leaves, record };
  const matcher = openMatcher(data);
  const uptime = readUptime(leaves, matcher);
  const state = readState(leaves, matcher);
  const byFigure = new Map(leaves.flatMap(toFigure));
  const isStatus = isProxmoxStatus(leaves);
  const { read, likely } = readFigures([...byFigure.keys()], {
    matcher,
    values: metricValues,
    // A running VPS transfers more than one byte per second, so a smaller number isn't a count since startup.
    isRate: ({ values: [value = 0] }) => !isStatus && value < (uptime?.content ?? 0),
  });
  const metrics = read.flatMap(({ metric, figures, toValue }) => {
    const value = toValue(...figures.map(({ values }) => values[0]));
    if (value === undefined) return [];
    for (const { path } of figures) matcher.note(liveValues[metric], path, value);
    return [{ metric, value, from: figures.flatMap((figure) => byFigure.get(figure) ?? []) }];
  });
  const used = new Set([
    ...[uptime, state].flatMap((one) => one?.leaf ?? []),
    // A percentage doesn't show the two amounts it's calculated from, so they are shown too.
    ...metrics.flatMap(({ metric, from }) =>
      liveValues[metric].unit === 'percent' && from.length > 1 ? [] : from,
    ),
  ]);
  return {
    ...(state && { state: state.content }),
    ...Object.fromEntries(metrics.map(({ metric, value }) => [liveFields[metric], value])),
    ...(uptime && { uptimeS: uptime.content }),
    unrecognized: leaves.filter((leaf) => !used.has(leaf) && !isVpsName(leaf.value)),
    likely,
    record,
  };
}

const { state: _state, uptime: _uptime, ...metricValues } = liveValues;

/** Returns whether this is the status of a Proxmox VE VM, which counts flows since startup. */
function isProxmoxStatus(leaves: readonly Leaf[]): boolean {
  return leaves.some(({ path }) => ['vmid', 'qmpstatus', 'pid'].includes(path.at(-1) ?? ''));
}

function toFigure(leaf: Leaf): [Figure, Leaf][] {
  const { path, value, unit } = leaf;
  const number = parseNumber(value);
  return number === undefined || number < 0 ? [] : [[{ path, values: [number], unit }, leaf]];
}

/** A value and the leaf that it comes from. */
interface Read<Content> {
  readonly content: Content;
  readonly leaf: Leaf;
}

/** Returns the leaves in the field that a person chose for a value, or undefined if no one chose a field. */
function findMapped(
  known: KnownValue,
  leaves: readonly Leaf[],
  matcher: Matcher,
): readonly Leaf[] | undefined {
  const mapping = matcher.mappingOf(known);
  return mapping && leaves.filter(({ path }) => formatAddress(path) === mapping.field);
}

function readState(leaves: readonly Leaf[], matcher: Matcher): Read<string> | undefined {
  const mapped = findMapped(liveValues.state, leaves, matcher);
  const states = (mapped ?? leaves.filter(isState)).flatMap((leaf) => {
    const value = toText(leaf.value);
    return value === undefined ? [] : [{ leaf, path: leaf.path, value }];
  });
  const [best] = mapped ? states : sortStates(states);
  if (best) matcher.note(liveValues.state, best.path, best.value);
  return best && { content: best.value, leaf: best.leaf };
}

function isState({ path, value }: Leaf): boolean {
  const [field = '', ...outer] = path.toReversed();
  const isInside = outer.every((name) => isStateGroup(name) || isVpsName(name) || isWrapperField(name));
  return isStateWord(value) && isInside && isStateField(field, outer[0]);
}

const uptimeName =
  /^(?:vm|vps|system|guest)?uptime(?:in)?(ms|millis|milliseconds|s|secs?|seconds?|minutes|hours|days)?$/;

/** Reads the uptime, which is in seconds if it has no unit. */
function readUptime(leaves: readonly Leaf[], matcher: Matcher): Read<number> | undefined {
  const mapped = findMapped(liveValues.uptime, leaves, matcher);
  for (const leaf of mapped ?? leaves) {
    const [field, named] = uptimeName.exec(joinUnwrapped(leaf.path)) ?? [];
    if (field === undefined && !mapped) continue;
    const unit = leaf.unit ?? named;
    const content = parseSeconds(leaf.value, unit);
    // 99.98 is a percentage rather than an uptime of 100 seconds.
    const isShare = unit === undefined && !Number.isInteger(content);
    if (content === undefined || isShare || !isPlausible(liveValues.uptime, content)) continue;
    matcher.note(liveValues.uptime, leaf.path, content);
    return { content, leaf };
  }
  return undefined;
}

/** Maximum search depth. */
const maxDepth = 6;

const nameFields = ['name', 'key', 'metric', 'metricname', 'field', 'label', 'id', 'title', 'parameter'];
const unitFields = ['unit', 'units'];

/**
 * Lists the single values of a payload, including those in nested fields and in lists of names and values. A
 * list of single values is one leaf. A unit applies to the numbers next to it, including nested ones. Leaves
 * out possible secrets.
 */
export function collectLeaves(data: unknown, path: readonly string[] = [], unit?: string): readonly Leaf[] {
  if (path.length > maxDepth || isEmpty(data) || path.some(isSecretFieldName)) return [];
  if (Array.isArray(data)) return collectFromList(data, path, unit);
  const quantity = parseQuantity(data);
  if (isRecord(data) && !quantity) return collectFromRecord(data, path, unit);
  const isTime = /^(time(stamp)?|ts|date|epoch|t)$/i.test(path.at(-1) ?? '');
  const own = quantity?.unit ?? (isTime ? undefined : unit);
  if (quantity && own !== undefined) return [{ path, value: quantity.value, unit: own }];
  return toSafe(isRecord(data) ? quantity?.value : data).map((value) => ({ path, value }));
}

function collectFromList(list: readonly unknown[], path: readonly string[], unit?: string): readonly Leaf[] {
  if (list.every((item) => typeof item !== 'object')) {
    const value = list.flatMap(toSafe);
    return value.length === 0 ? [] : [{ path, value }];
  }
  return list.flatMap((item, index) => {
    if (!isRecord(item)) return collectLeaves(item, [...path, String(index + 1)], unit);
    const title = findOwner(item) ?? findText(item, nameFields) ?? String(index + 1);
    const inner = collectLeaves(item, list.length === 1 ? path : [...path, title], unit);
    return list.length === 1 ? inner : inner.filter(({ value }) => value !== title);
  });
}

function collectFromRecord(record: ServiceRecord, path: readonly string[], outer?: string): readonly Leaf[] {
  const own = findText(record, unitFields);
  return Object.entries(record).flatMap(([field, value]) =>
    own !== undefined && value === own ? [] : collectLeaves(value, [...path, field], own ?? outer),
  );
}

/** Returns a single value without URL passwords, or nothing if it's a possible secret. */
function toSafe(value: unknown): readonly Scalar[] {
  if (typeof value === 'string') return containsSecret(value) ? [] : [redactUrlPasswords(value)];
  return typeof value === 'number' || typeof value === 'boolean' ? [value] : [];
}
