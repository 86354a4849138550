import { calculatePercent } from '../../readings/correction.ts';
import type { ChosenMetrics, FoundAmount, FoundMetric } from '../found-metric.ts';
import { hasNoUnit, type LeafMeasurement, parseExplicitPercent, toBytes } from '../measurements.ts';
import { isPlausiblePercent } from '../plausibility.ts';
import { buildUsageContext, type UsageContext, type UsageField } from './usage-shares.ts';

/** A measurement, and its field in the usage context. */
interface Candidate {
  readonly measurement: LeafMeasurement;
  readonly field: UsageField;
}

/** Reads the usage of CPU, memory and disk. A field that a person chose replaces the one that was found. */
export function readLiveUsage(
  measured: readonly LeafMeasurement[],
  chosen: ChosenMetrics,
): readonly FoundMetric[] {
  const candidates = measured.map((measurement): Candidate => {
    const { leaf, meaning, quantity } = measurement;
    const hasUnit = !hasNoUnit(measurement);
    return { measurement, field: { path: leaf.path, meaning, values: [quantity.value], hasUnit } };
  });
  const context = buildUsageContext(candidates.map(({ field }) => field));
  const cpu = findPercent(candidates, 'cpu', context);
  return [
    ...(cpu ? [{ ...cpu, field: 'cpuPercent' as const }] : []),
    ...readResourceUsage('memory', candidates, context, chosen),
    ...readResourceUsage('disk', candidates, context, chosen),
  ];
}

/**
 * Finds the first plausible percentage. One with a unit is preferred, and a current value is
 * preferred to an average.
 */
function findPercent(
  candidates: readonly Candidate[],
  subject: 'cpu' | 'memory' | 'disk',
  { scales, maxCpuPercent }: UsageContext,
): FoundAmount | undefined {
  const found = candidates.flatMap(({ measurement, field }) => {
    const { leaf, meaning, quantity } = measurement;
    if (meaning.subject !== subject || !isUsage(measurement)) return [];
    const explicit = parseExplicitPercent(measurement);
    const scale = scales.get(field);
    const percent = explicit ?? (scale === undefined ? undefined : quantity.value * scale);
    const isStated = percent !== undefined && isPlausiblePercent(subject, percent, maxCpuPercent);
    const isCertain = explicit !== undefined || scale === 1;
    return isStated ? [{ leaf, percent, meaning, isExplicit: explicit !== undefined, isCertain }] : [];
  });
  const [best] = found.toSorted(
    (a, b) =>
      Number(b.isExplicit) - Number(a.isExplicit) ||
      Number(a.meaning.isAverage) - Number(b.meaning.isAverage) ||
      Number(b.meaning.role !== undefined) - Number(a.meaning.role !== undefined),
  );
  if (best === undefined) return undefined;
  const isContested = found.some(({ percent }) => percent !== best.percent);
  return { value: best.percent, leaves: [best.leaf], isCertain: best.isCertain && !isContested };
}

function isUsage({ meaning: { role } }: LeafMeasurement): boolean {
  return role === undefined || role === 'used' || role === 'usage';
}

function readResourceUsage(
  subject: 'memory' | 'disk',
  candidates: readonly Candidate[],
  context: UsageContext,
  chosen: ChosenMetrics,
): readonly FoundMetric[] {
  const own = candidates.filter(({ field }) => field.meaning.subject === subject);
  const amounts = findAmounts(
    own.map(({ measurement }) => measurement),
    context.inBytes.has(subject),
  );
  const [usedField, totalField] = [`${subject}UsedBytes`, `${subject}TotalBytes`] as const;
  const used = chosen.get(usedField) ?? amounts.used;
  const total = chosen.get(totalField) ?? amounts.total;
  // If more is used than the total, one of the two is something else. Proxmox VE shows 0 if it
  // can't look into a machine: no disk is empty, and every busy VPS uses memory.
  const areStated =
    used === undefined || !total?.value || calculatePercent(used.value, total.value) !== undefined;
  const isBusy = candidates.some(
    ({ field }) => field.meaning.subject === 'cpu' && field.values.some(Boolean),
  );
  const isKnown = used?.value !== 0 || (subject === 'memory' && !isBusy);
  const percent =
    findPercent(candidates, subject, context) ??
    (isKnown ? toShare(used, total) : undefined) ??
    findUnitlessShare(own, context);
  return [
    ...(used && areStated && isKnown ? [{ ...used, field: usedField }] : []),
    ...(total && (areStated || !isKnown) ? [{ ...total, field: totalField }] : []),
    ...(percent ? [{ ...percent, field: `${subject}Percent` as const }] : []),
  ];
}

function toShare(used: FoundAmount | undefined, total: FoundAmount | undefined): FoundAmount | undefined {
  const value = calculatePercent(used?.value, total?.value);
  if (value === undefined || !used || !total) return undefined;
  return { value, leaves: [...used.leaves, ...total.leaves], isCertain: false };
}

/** Finds the amounts in bytes. */
function findAmounts(own: readonly LeafMeasurement[], isInBytes: boolean) {
  const inBytes = own.flatMap((each) => {
    const bytes = parseExplicitPercent(each) === undefined ? toBytes(each, isInBytes) : undefined;
    return bytes === undefined ? [] : [{ leaf: each.leaf, role: each.meaning.role, bytes }];
  });
  const hasTotal = inBytes.some(({ role }) => role === 'total' || role === 'limit');
  const findBytes = (...roles: readonly LeafMeasurement['meaning']['role'][]): FoundAmount | undefined => {
    const [first, ...others] = inBytes.filter(({ role }) => roles.includes(role));
    if (!first) return undefined;
    const isCertain = others.every(({ bytes }) => bytes === first.bytes);
    return { value: first.bytes, leaves: [first.leaf], isCertain };
  };
  /** Available memory includes caches. Free memory doesn't. */
  const findMostFree = (): FoundAmount | undefined => {
    const [most] = inBytes.filter(({ role }) => role === 'free').toSorted((a, b) => b.bytes - a.bytes);
    return most && { value: most.bytes, leaves: [most.leaf], isCertain: true };
  };
  const explicitUsed = findBytes('used', 'usage');
  const total = findBytes('total', 'limit') ?? (explicitUsed && findBytes(undefined));
  // Without a total, a bare amount can be either the used amount or the size: CloudSigma's `mem`
  // is the size.
  const bare = hasTotal ? findBytes(undefined) : undefined;
  return { used: explicitUsed ?? bare ?? subtractFree(total, findMostFree()), total };
}

function subtractFree(
  total: FoundAmount | undefined,
  free: FoundAmount | undefined,
): FoundAmount | undefined {
  if (!total || !free || free.value > total.value) return undefined;
  return { value: total.value - free.value, leaves: [...total.leaves, ...free.leaves], isCertain: false };
}

/** Calculates a percentage from two numbers in the same unknown unit. */
function findUnitlessShare(own: readonly Candidate[], { scales }: UsageContext): FoundAmount | undefined {
  const unitless = own.filter(({ field }) => !field.hasUnit && !scales.has(field));
  const find = (...roles: readonly UsageField['meaning']['role'][]) =>
    unitless.find(({ field }) => roles.includes(field.meaning.role))?.measurement;
  const total = find('total', 'limit');
  const unclear = find(undefined, 'usage');
  const used =
    find('used') ?? (isAmount(unclear?.quantity.value, total?.quantity.value) ? unclear : undefined);
  const percent = calculatePercent(used?.quantity.value, total?.quantity.value);
  if (!percent || !used || !total) return undefined;
  return { value: percent, leaves: [used.leaf, total.leaf], isCertain: false };
}

/** Returns whether an amount can't also be a percentage. A small number beside a large total can be both. */
function isAmount(amount: number | undefined, total: number | undefined): boolean {
  return amount !== undefined && total !== undefined && (amount > 100 || total < 1);
}
