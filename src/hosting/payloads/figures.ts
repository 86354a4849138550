import { formatAddress } from './field-address.ts';
import { toMappedNumber } from './field-mapping.ts';
import { type FieldMeaning, type Flow, isFlowSubject, parseMeaning, type Role } from './field-words.ts';
import { isPlausible, type KnownValue, liveValues, maxShare, type RrdMetric } from './known-values.ts';
import type { Matcher } from './matcher.ts';
import { parseUnit, type Unit } from './quantity.ts';
import { normalizeFieldName } from './record.ts';

/** A field with numbers. Live data has one number, a history one for each point in time. */
export interface Figure {
  /** Names of the outer fields and of the field itself, outermost first. */
  readonly path: readonly string[];
  readonly values: readonly number[];
  /** The unit that stands beside the numbers. */
  readonly unit?: string | undefined;
}

export type Metric = RrdMetric | `${Flow}Total`;

/** A metric that was read from one figure, or from a used amount and a total. */
export interface ReadFigure {
  readonly metric: Metric;
  readonly figures: readonly Figure[];
  /** Converts the numbers of the figures to the metric's unit. Returns undefined if the result can't be true. */
  readonly toValue: (...numbers: readonly (number | undefined)[]) => number | undefined;
}

/** A figure that can be a metric, if a person confirms its unit. */
export interface LikelyFigure {
  readonly metric: RrdMetric;
  readonly figure: Figure;
  /** The units that it can have. */
  readonly units: readonly string[];
}

export interface ReadFigures {
  readonly read: readonly ReadFigure[];
  readonly likely: readonly LikelyFigure[];
}

/** A figure whose name is understood. */
interface Candidate {
  readonly figure: Figure;
  readonly meaning: FieldMeaning;
  /** Its unit. `none` if there is none, and `other` if there is one that Rackhand doesn't know. */
  readonly unit: Unit | 'none' | 'other';
}

/** What is known about the payload of figures. */
export interface FigureScope {
  readonly matcher: Matcher;
  /** The known values that the figures can be. */
  readonly values: Readonly<Partial<Record<Metric, KnownValue>>>;
  readonly isHistory: boolean;
  /** Names of all fields in the payload, normalized. */
  readonly fieldNames?: ReadonlySet<string>;
  readonly uptimeS?: number | undefined;
}

/**
 * Reads metrics from the figures of a payload. A metric is read only if a person chose its field, if its
 * unit stands in the field's name or beside the numbers, if used and total amounts stand beside each
 * other, or if the names are a known convention. A figure without a unit is only likely to be a metric.
 */
export function readFigures(figures: readonly Figure[], scope: FigureScope): ReadFigures {
  const mapped = readMapped(figures, scope);
  const isMapped = (metric: Metric) => {
    const known = scope.values[metric];
    return known !== undefined && scope.matcher.mappingOf(known) !== undefined;
  };
  const unmapped = figures.filter((figure) => !mapped.some((one) => one.figures.includes(figure)));
  const isPeak = createPeakTest(unmapped);
  const candidates = unmapped.flatMap((figure): Candidate[] => {
    const meaning = parseMeaning(figure.path);
    if (!meaning || (meaning.isMaximum && isPeak(figure))) return [];
    return [{ figure, meaning, unit: findUnit(figure, meaning) }];
  });
  const cores = findCores(candidates);
  const conventional = readConvention(unmapped, scope);
  const open = candidates.filter(({ figure }) => !conventional.some((one) => one.figures.includes(figure)));
  const direct = [
    ...readPercent('cpu', open),
    ...(['memory', 'disk'] as const).flatMap((subject) => [
      ...readPercent(subject, open),
      ...readAmounts(subject, open, scope.isHistory),
    ]),
    ...readFlows(open, scope.isHistory),
  ];
  const automatic = uniqueMetrics([...conventional, ...direct]).filter(({ metric }) => !isMapped(metric));
  const all = [...mapped, ...automatic].map((one) => withLimits(one, cores));
  const percents = derivePercents(all, open).filter(({ metric }) => !isMapped(metric));
  const read = [...all, ...percents.map((one) => withLimits(one, cores))];
  return { read, likely: listLikely(open, read, cores).filter(({ metric }) => !isMapped(metric)) };
}

/** A unit beside a number that differs from the one in its name can be meant for other fields. */
function findUnit({ unit }: Figure, { unit: named }: FieldMeaning): Candidate['unit'] {
  if (unit === undefined) return named ?? 'none';
  const beside = parseUnit(unit);
  if (!beside || !named) return beside ?? 'other';
  return beside.dimension === named.dimension && beside.factor === named.factor ? beside : 'other';
}

function uniqueMetrics(read: readonly ReadFigure[]): readonly ReadFigure[] {
  return read.filter(({ metric }, index) => read.findIndex((one) => one.metric === metric) === index);
}

/** Reads the metrics whose fields a person chose. */
function readMapped(figures: readonly Figure[], { matcher, values }: FigureScope): readonly ReadFigure[] {
  return Object.entries(values).flatMap(([name, known]): readonly ReadFigure[] => {
    const mapping = matcher.mappingOf(known);
    const figure = mapping && figures.find(({ path }) => formatAddress(path) === mapping.field);
    if (!figure) return [];
    const { path, unit } = figure;
    const toContent = (number: number) => (unit === undefined ? number : { value: number, unit });
    const toValue = (number: number | undefined) =>
      number === undefined
        ? undefined
        : toMappedNumber(known, { name: path.at(-1) ?? '', content: toContent(number) }, mapping.unit);
    return [{ metric: name as Metric, figures: [figure], toValue }];
  });
}

/** Returns a test for `max` fields that contain the highest value of an interval and not a size. */
function createPeakTest(figures: readonly Figure[]): (figure: Figure) => boolean {
  const toName = ({ path }: Figure) => path.map(normalizeFieldName).join('.');
  const names = new Set(figures.map(toName));
  return (figure) => {
    const name = toName(figure);
    const hasOther = ['min', 'minimum', 'avg', 'average', 'mean'].some((word) => {
      const other = name.replace(/max(imum)?/, word);
      return other !== name && names.has(other);
    });
    // A size changes at most when the VPS is resized.
    return hasOther || new Set(figure.values).size > 2;
  };
}

function findCores(candidates: readonly Candidate[]): number | undefined {
  return candidates
    .flatMap(({ figure, meaning }) => (meaning.subject === 'cores' ? figure.values : []))
    .find((count) => Number.isInteger(count) && count > 0 && count <= 1_024);
}

/**
 * The names of Proxmox VE: `cpu` is a fraction beside `maxcpu` or `cpus`, amounts are in bytes. Flows are per
 * second over time, and counted since the start in the status of a VM.
 */
const proxmoxFields: Readonly<Record<string, Metric>> = {
  cpu: 'cpu',
  mem: 'memoryUsed',
  maxmem: 'memoryTotal',
  disk: 'diskUsed',
  maxdisk: 'diskTotal',
  netin: 'networkIn',
  netout: 'networkOut',
  diskread: 'diskRead',
  diskwrite: 'diskWrite',
};
const proxmoxStatusFields = ['vmid', 'qmpstatus', 'pid'];

function readConvention(figures: readonly Figure[], scope: FigureScope): readonly ReadFigure[] {
  const groups = Map.groupBy(figures, ({ path }) => path.slice(0, -1).join('\n'));
  return [...groups.values()].flatMap((group): readonly ReadFigure[] => {
    const names = new Map(group.map((figure) => [figure.path.at(-1) ?? '', figure]));
    if (!names.has('maxmem') || !(names.has('mem') || names.has('maxcpu'))) return [];
    if (group.some(({ unit }) => unit !== undefined)) return [];
    const hasCores = names.has('maxcpu') || names.has('cpus');
    return group.flatMap((figure): readonly ReadFigure[] => {
      const metric = proxmoxFields[figure.path.at(-1) ?? ''];
      return metric === undefined || (metric === 'cpu' && !hasCores)
        ? []
        : readConventional(figure, metric, scope);
    });
  });
}

function readConventional(
  figure: Figure,
  metric: Metric,
  { isHistory, fieldNames, uptimeS = 0 }: FigureScope,
): readonly ReadFigure[] {
  const figures = [figure];
  if (metric === 'cpu') {
    // A VM's share of its cores. Measuring errors can push it slightly above 1.
    const isFraction = figure.values.every((value) => value <= 1.5);
    return isFraction ? [{ metric, figures, toValue: (value) => scale(value, 100) }] : [];
  }
  const toValue = (value?: number) => value;
  if (isHistory || !isFlowMetric(metric)) return [{ metric, figures, toValue }];
  const isStatus = proxmoxStatusFields.some((field) => fieldNames?.has(field));
  if (isStatus) return [{ metric: `${metric}Total`, figures, toValue }];
  // A running VPS transfers more than one byte per second, so a smaller number isn't a count since the start.
  const isRate = figure.values.every((value) => value < uptimeS);
  return isRate ? [{ metric, figures, toValue }] : [];
}

function isFlowMetric(metric: Metric): metric is Flow {
  return /^(network(In|Out)|disk(Read|Write))$/.test(metric);
}

function scale(value: number | undefined, factor: number): number | undefined {
  return value === undefined ? undefined : value * factor;
}

/**
 * Returns the only candidate, or one of several with the same numbers. A current value is preferred to
 * an average. Returns undefined if they contradict each other.
 */
function findOnly(candidates: readonly Candidate[]): Candidate | undefined {
  const current = candidates.filter(({ meaning }) => !meaning.isAverage);
  const [first, ...others] = current.length > 0 ? current : candidates;
  const toText = ({ figure, unit }: Candidate) =>
    figure.values.map((value) => value * (typeof unit === 'string' ? 1 : unit.factor)).join(' ');
  return first && others.every((other) => toText(other) === toText(first)) ? first : undefined;
}

const isUnit = (dimension: Unit['dimension']) => (candidate: Candidate) =>
  typeof candidate.unit !== 'string' && candidate.unit.dimension === dimension;

function toReadFigure(metric: Metric, candidate: Candidate | undefined): readonly ReadFigure[] {
  if (!candidate || typeof candidate.unit === 'string') return [];
  const { factor } = candidate.unit;
  return [{ metric, figures: [candidate.figure], toValue: (value) => scale(value, factor) }];
}

function readPercent(
  subject: 'cpu' | 'memory' | 'disk',
  candidates: readonly Candidate[],
): readonly ReadFigure[] {
  const own = candidates.filter(
    ({ meaning }) => meaning.subject === subject && meaning.role !== 'total' && meaning.role !== 'free',
  );
  return toReadFigure(subject, findOnly(own.filter(isUnit('percent'))));
}

function readAmounts(
  subject: 'memory' | 'disk',
  candidates: readonly Candidate[],
  isHistory: boolean,
): readonly ReadFigure[] {
  const amounts = candidates.filter(({ meaning }) => meaning.subject === subject).filter(isUnit('bytes'));
  const find = (...roles: readonly (Role | undefined)[]) =>
    findOnly(amounts.filter(({ meaning }) => roles.includes(meaning.role)));
  const total = find('total');
  // A bare amount may be the size, unless there is one beside it, or the amount changes.
  const bare = find(undefined);
  const isUsed = total !== undefined || (isHistory && new Set(bare?.figure.values).size > 1);
  const used = find('used', 'usage') ?? (isUsed ? bare : undefined);
  const size = total ?? (find('used', 'usage') ? bare : undefined);
  const free = used ? undefined : find('free');
  return [
    ...toReadFigure(`${subject}Used`, used),
    ...toReadFigure(`${subject}Total`, size),
    ...(free && size ? [subtractFree(subject, size, free)] : []),
  ];
}

function subtractFree(subject: 'memory' | 'disk', total: Candidate, free: Candidate): ReadFigure {
  const factorOf = ({ unit }: Candidate) => (typeof unit === 'string' ? 1 : unit.factor);
  return {
    metric: `${subject}Used`,
    figures: [total.figure, free.figure],
    toValue(all, left) {
      if (all === undefined || left === undefined) return undefined;
      const rest = all * factorOf(total) - left * factorOf(free);
      return rest >= 0 ? rest : undefined;
    },
  };
}

/** With fewer rising points, each could be an amount of its own. */
const minCounterPoints = 5;
/** A counter falls only when the VPS restarts: at one point, or at most at this share of them. */
const maxResetShare = 0.02;

function isCounter(values: readonly number[]): boolean {
  const falls = values.filter((value, index) => value < (values[index - 1] ?? value)).length;
  if (values.length < minCounterPoints) return false;
  return falls <= (values.length < 2 * minCounterPoints ? 0 : Math.max(1, values.length * maxResetShare));
}

function readFlows(candidates: readonly Candidate[], isHistory: boolean): readonly ReadFigure[] {
  const flows = Map.groupBy(candidates, ({ meaning }) => meaning.subject);
  return [...flows].flatMap(([subject, own]) => {
    if (!isFlowSubject(subject)) return [];
    const rates = own.filter(isUnit('bytesPerSecond'));
    const counters = own
      .filter(isUnit('bytes'))
      .filter(({ meaning, figure }) => meaning.isCounter && (!isHistory || isCounter(figure.values)));
    return [
      ...toReadFigure(subject, findOnly(rates)),
      ...toReadFigure(`${subject}Total`, findOnly(counters)),
    ];
  });
}

/** Returns the percentages of used and total amounts, if the payload has none of its own. */
function derivePercents(read: readonly ReadFigure[], open: readonly Candidate[]): readonly ReadFigure[] {
  return (['memory', 'disk'] as const).flatMap((subject): readonly ReadFigure[] => {
    const find = (metric: Metric) => read.find((one) => one.metric === metric);
    const [percent, used, total] = [find(subject), find(`${subject}Used`), find(`${subject}Total`)];
    if (percent) return [];
    if (!used || !total) return used || total ? [] : readUnitlessPercent(subject, open);
    const { length } = used.figures;
    const toValue: ReadFigure['toValue'] = (...numbers) =>
      calculatePercent(used.toValue(...numbers.slice(0, length)), total.toValue(...numbers.slice(length)));
    return [{ metric: subject, figures: [...used.figures, ...total.figures], toValue }];
  });
}

/** Calculates a percentage. Returns undefined if it can't be true. */
function calculatePercent(used: number | undefined, total: number | undefined): number | undefined {
  if (used === undefined || total === undefined || total <= 0 || used < 0 || used > total * maxShare)
    return undefined;
  return (used / total) * 100;
}

/** Calculates a percentage from a used and a total amount in the same unit, whichever that is. */
function readUnitlessPercent(subject: 'memory' | 'disk', candidates: readonly Candidate[]): ReadFigure[] {
  const own = candidates.filter(({ meaning, unit }) => meaning.subject === subject && unit === 'none');
  const find = (role: Role) => findOnly(own.filter(({ meaning }) => meaning.role === role));
  const [used, total, free] = [find('used'), find('total'), find('free')];
  const part = used ?? free;
  if (!part || !total || part.figure.path.slice(0, -1).join() !== total.figure.path.slice(0, -1).join())
    return [];
  return [
    {
      metric: subject,
      figures: [part.figure, total.figure],
      toValue(amount, whole) {
        if (amount === undefined || whole === undefined) return undefined;
        const share = calculatePercent(used ? amount : whole - amount, whole);
        return share === 0 ? undefined : share;
      },
    },
  ];
}

/** Some services add up the cores. If they don't report the number of cores, up to this many are assumed. */
const maxUnknownCores = 16;
const maxRounding = 1.05;

/** Drops the numbers of a figure that can't be true. */
function withLimits(one: ReadFigure, cores = maxUnknownCores): ReadFigure {
  const known = liveValues[one.metric];
  const isTrue = (value: number) =>
    isPlausible(known, value) &&
    (one.metric !== 'cpu' || value <= 100 * maxRounding * cores) &&
    // A service that can't look into a disk shows 0%. No disk in use is empty.
    (one.metric !== 'disk' || value > 0);
  return {
    ...one,
    toValue(...numbers) {
      const value = one.toValue(...numbers);
      return value !== undefined && isTrue(value) ? value : undefined;
    },
  };
}

/** Lists the figures without a unit that can be one of the metrics that weren't read. */
function listLikely(
  open: readonly Candidate[],
  read: readonly ReadFigure[],
  cores = maxUnknownCores,
): readonly LikelyFigure[] {
  return open.flatMap(({ figure, meaning, unit }): LikelyFigure[] => {
    const { subject, role } = meaning;
    const isRead = read.some(({ metric }) => metric === subject);
    if (unit !== 'none' || isRead || subject === 'cores' || role === 'total' || role === 'free') return [];
    const highest = figure.values.reduce((a, b) => Math.max(a, b), 0);
    if (figure.values.length === 0 || figure.values.some((value) => value < 0)) return [];
    if (isFlowSubject(subject))
      return role === undefined ? [{ metric: subject, figure, units: ['bytes', 'kb', 'mbps'] }] : [];
    const max = subject === 'cpu' ? 100 * cores : 100;
    const units = [...(highest <= max ? ['percent'] : []), ...(highest * 100 <= max ? ['fraction'] : [])];
    return units.length === 0 || role === 'used' ? [] : [{ metric: subject, figure, units }];
  });
}
