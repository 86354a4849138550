import { formatAddress, toMappedNumber } from './field-mapping.ts';
import { type FieldMeaning, isFlowSubject, parseMeaning, type Role } from './field-words.ts';
import { isPlausible, type KnownValue, liveValues, maxShare, type RrdMetric } from './known-values.ts';
import type { Matcher } from './matcher.ts';
import { parseUnit, type Unit } from './quantity.ts';

/** A field with numbers: one number in live data, or one per point in time in a history. */
export interface Figure {
  /** Names of the outer fields and of the field itself, outermost first. */
  readonly path: readonly string[];
  readonly values: readonly number[];
  /** The unit given next to the numbers. */
  readonly unit?: string | undefined;
}

/** A metric read from one figure, or from a used amount and a total. */
export interface ReadFigure {
  readonly metric: RrdMetric;
  readonly figures: readonly Figure[];
  /** Converts the figures' numbers to the metric's unit. Returns undefined if the result is implausible. */
  readonly toValue: (...numbers: readonly (number | undefined)[]) => number | undefined;
}

/** A figure without a unit. It becomes a metric once a person confirms its unit. */
export interface LikelyFigure {
  readonly metric: RrdMetric;
  /** The field's address, as in a field mapping. */
  readonly field: string;
  readonly number: number;
  /** The units that the figure can have. */
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
  /** The figure's unit; `none` if it has none, `other` if the unit is unknown or contradictory. */
  readonly unit: Unit | 'none' | 'other';
}

/** Information about the payload that contains the figures. */
export interface FigureScope {
  readonly matcher: Matcher;
  readonly values: Readonly<Partial<Record<RrdMetric, KnownValue>>>;
  /** Returns whether a Proxmox VE flow is per second rather than counted since startup. */
  readonly isRate: (figure: Figure) => boolean;
}

/**
 * Reads metrics from a payload's figures. Reads a metric only if a person chose its field, its unit is in the
 * field name or next to the numbers, its used and total amounts are next to each other, or the names follow a
 * known convention. Any other figure without a unit is only a likely metric.
 */
export function readFigures(figures: readonly Figure[], scope: FigureScope): ReadFigures {
  const mapped = readMapped(figures, scope);
  const isMapped = (metric: RrdMetric) => {
    const known = scope.values[metric];
    return known !== undefined && scope.matcher.mappingOf(known) !== undefined;
  };
  const unmapped = without(figures, mapped);
  const conventional = readConvention(unmapped, scope);
  const cores = findCores(toCandidates(unmapped));
  const open = toCandidates(without(unmapped, conventional));
  const direct = [
    ...readPercent('cpu', open),
    ...amountSubjects.flatMap((subject) => [...readPercent(subject, open), ...readAmounts(subject, open)]),
    ...flowSubjects.flatMap((subject) =>
      toReadFigure(
        subject,
        findOnly(open.filter(({ meaning }) => meaning.subject === subject).filter(isUnit('bytesPerSecond'))),
      ),
    ),
  ];
  const automatic = uniqueMetrics([...conventional, ...direct]).filter(({ metric }) => !isMapped(metric));
  const all = [...mapped, ...automatic].map((one) => withLimits(one, cores));
  const percents = derivePercents(all, open).filter(({ metric }) => !isMapped(metric));
  const read = [...all, ...percents.map((one) => withLimits(one, cores))];
  return { read, likely: listLikely(open, read, cores).filter(({ metric }) => !isMapped(metric)) };
}

const amountSubjects = ['memory', 'disk'] as const;
const flowSubjects = ['networkIn', 'networkOut', 'diskRead', 'diskWrite'] as const;
const flowMetrics: ReadonlySet<RrdMetric> = new Set(flowSubjects);

function without(figures: readonly Figure[], read: readonly ReadFigure[]): readonly Figure[] {
  const taken = new Set(read.flatMap((one) => one.figures));
  return figures.filter((figure) => !taken.has(figure));
}

function uniqueMetrics(read: readonly ReadFigure[]): readonly ReadFigure[] {
  return [...new Map(read.toReversed().map((one) => [one.metric, one])).values()].toReversed();
}

function toCandidates(figures: readonly Figure[]): readonly Candidate[] {
  const groups = Map.groupBy(figures, ({ path }) => path.slice(0, -1).join('\n'));
  return [...groups.values()].flatMap((group) => {
    // Beside an interval's lowest value or mean, `max` is its highest value and not a size.
    const isAggregated = group.some(({ path }) => /min|avg|average|mean/i.test(path.at(-1) ?? ''));
    return group.flatMap((figure): readonly Candidate[] => {
      const meaning = parseMeaning(figure.path);
      // A size doesn't change over time, so a maximum that changes is a peak.
      const isPeak = meaning?.isMaximum && (isAggregated || new Set(figure.values).size > 1);
      return meaning && !isPeak ? [{ figure, meaning, unit: findUnit(figure, meaning) }] : [];
    });
  });
}

/**
 * Returns the figure's unit, or `other` if the unit next to the number contradicts the field name, because
 * that unit may be meant for other fields.
 */
function findUnit({ unit }: Figure, { unit: named }: FieldMeaning): Candidate['unit'] {
  if (unit === undefined) return named ?? 'none';
  const beside = parseUnit(unit);
  if (!beside || !named) return beside ?? 'other';
  return beside.dimension === named.dimension && beside.factor === named.factor ? beside : 'other';
}

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
    return [{ metric: name as RrdMetric, figures: [figure], toValue }];
  });
}

function findCores(candidates: readonly Candidate[]): number | undefined {
  return candidates
    .flatMap(({ figure, meaning }) => (meaning.subject === 'cores' ? figure.values : []))
    .find((count) => Number.isInteger(count) && count > 0 && count <= 1_024);
}

/** Proxmox VE's field names. `cpu` is a fraction if there is `maxcpu` or `cpus`; amounts are in bytes. */
const proxmoxFields: Readonly<Record<string, RrdMetric>> = {
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

function readConvention(figures: readonly Figure[], { isRate }: FigureScope): readonly ReadFigure[] {
  const groups = Map.groupBy(figures, ({ path }) => path.slice(0, -1).join('\n'));
  return [...groups.values()].flatMap((group): readonly ReadFigure[] => {
    const names = new Set(group.map(({ path }) => path.at(-1) ?? ''));
    const isConvention =
      names.has('maxmem') &&
      (names.has('mem') || names.has('maxcpu')) &&
      group.every(({ unit }) => unit === undefined);
    if (!isConvention) return [];
    const hasCores = names.has('maxcpu') || names.has('cpus');
    return group.flatMap((figure): readonly ReadFigure[] => {
      const metric = proxmoxFields[figure.path.at(-1) ?? ''];
      if (metric === undefined) return [];
      // A VM's share of its cores. Measuring errors can push it slightly above 1.
      const isShare = hasCores && figure.values.every((value) => value <= 1.5);
      if (metric === 'cpu' ? !isShare : flowMetrics.has(metric) && !isRate(figure)) return [];
      return [{ metric, figures: [figure], toValue: (value) => scale(value, metric === 'cpu' ? 100 : 1) }];
    });
  });
}

function scale(value: number | undefined, factor: number): number | undefined {
  return value === undefined ? undefined : value * factor;
}

/**
 * Returns the only candidate, or the first if all have the same numbers. Returns undefined if they contradict
 * each other.
 */
function findOnly(candidates: readonly Candidate[]): Candidate | undefined {
  const [first, ...others] = candidates;
  const toText = ({ figure, unit }: Candidate) =>
    figure.values.map((value) => value * (typeof unit === 'string' ? 1 : unit.factor)).join(' ');
  return first && others.every((other) => toText(other) === toText(first)) ? first : undefined;
}

const isUnit = (dimension: Unit['dimension']) => (candidate: Candidate) =>
  typeof candidate.unit !== 'string' && candidate.unit.dimension === dimension;

function toReadFigure(metric: RrdMetric, candidate: Candidate | undefined): readonly ReadFigure[] {
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

function readAmounts(subject: 'memory' | 'disk', candidates: readonly Candidate[]): readonly ReadFigure[] {
  const amounts = candidates.filter(({ meaning }) => meaning.subject === subject).filter(isUnit('bytes'));
  const find = (...roles: readonly (Role | undefined)[]) =>
    findOnly(amounts.filter(({ meaning }) => roles.includes(meaning.role)));
  const [used, total, bare] = [find('used', 'usage'), find('total'), find(undefined)];
  // Next to a used amount, a bare amount is the total. Next to a total, a bare amount is the used amount.
  // A bare amount alone could be either one, so it isn't read.
  return [
    ...toReadFigure(`${subject}Used`, used ?? (total && bare)),
    ...toReadFigure(`${subject}Total`, total ?? (used && bare)),
  ];
}

/** Calculates percentages from used and total amounts, if the payload has no percentages. */
function derivePercents(read: readonly ReadFigure[], open: readonly Candidate[]): readonly ReadFigure[] {
  return amountSubjects.flatMap((subject): readonly ReadFigure[] => {
    const find = (metric: RrdMetric) => read.find((one) => one.metric === metric);
    const [percent, used, total] = [find(subject), find(`${subject}Used`), find(`${subject}Total`)];
    if (percent) return [];
    if (!used || !total) return used || total ? [] : readUnitlessPercent(subject, open);
    const toValue: ReadFigure['toValue'] = (part, whole) =>
      calculatePercent(used.toValue(part), total.toValue(whole));
    return [{ metric: subject, figures: [...used.figures, ...total.figures], toValue }];
  });
}

/**
 * Calculates a percentage. Returns undefined if it's implausible or the used amount is 0, which means that
 * the amount wasn't measured.
 */
function calculatePercent(used: number | undefined, total: number | undefined): number | undefined {
  if (used === undefined || total === undefined || used <= 0 || used > total * maxShare) return undefined;
  return (used / total) * 100;
}

/** Calculates a percentage from a used and a total amount in the same unknown unit. */
function readUnitlessPercent(
  subject: 'memory' | 'disk',
  candidates: readonly Candidate[],
): readonly ReadFigure[] {
  const own = candidates.filter(({ meaning, unit }) => meaning.subject === subject && unit === 'none');
  const find = (role: Role) => findOnly(own.filter(({ meaning }) => meaning.role === role))?.figure;
  const [used, total] = [find('used'), find('total')];
  if (!used || !total || used.path.slice(0, -1).join() !== total.path.slice(0, -1).join()) return [];
  return [{ metric: subject, figures: [used, total], toValue: calculatePercent }];
}

/** Maximum number of cores assumed if a service adds up all cores' usage without reporting how many there are. */
const maxUnknownCores = 16;
const maxRounding = 1.05;

/** Returns the figure with a `toValue` that returns undefined for implausible numbers. */
function withLimits(one: ReadFigure, cores = maxUnknownCores): ReadFigure {
  const isTrue = (value: number) =>
    isPlausible(liveValues[one.metric], value) &&
    (one.metric !== 'cpu' || value <= 100 * maxRounding * cores) &&
    // A service that can't look into a disk shows 0%. A disk in use is never empty.
    (one.metric !== 'disk' || value > 0);
  return {
    ...one,
    toValue(...numbers) {
      const value = one.toValue(...numbers);
      return value !== undefined && isTrue(value) ? value : undefined;
    },
  };
}

/** Lists the figures without a unit that may be one of the metrics that weren't read. */
function listLikely(
  open: readonly Candidate[],
  read: readonly ReadFigure[],
  cores = maxUnknownCores,
): readonly LikelyFigure[] {
  const known = new Set<string>(read.map(({ metric }) => metric));
  return open.flatMap(({ figure: { path, values }, meaning: { subject, role }, unit }): LikelyFigure[] => {
    const number = values.at(-1);
    const isOpen = unit === 'none' && subject !== 'cores' && !known.has(subject);
    const isAmount = role !== undefined && role !== 'usage';
    if (number === undefined || !isOpen || isAmount || values.some((value) => value < 0)) return [];
    const likely = { metric: subject, field: formatAddress(path) || 'value', number };
    if (isFlowSubject(subject)) return role ? [] : [{ ...likely, units: ['bytes', 'kb', 'mbps'] }];
    const highest = values.reduce((a, b) => Math.max(a, b), 0);
    const max = subject === 'cpu' ? 100 * cores : 100;
    const units = [...(highest <= max ? ['percent'] : []), ...(highest * 100 <= max ? ['fraction'] : [])];
    return units.length === 0 ? [] : [{ ...likely, units }];
  });
}
