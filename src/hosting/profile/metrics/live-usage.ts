import type { Leaf } from '../payload/leaves.ts';
import { hasNoUnit, type LeafMeasurement, parseExplicitPercent, toBytes } from './measurements.ts';
import { calculatePercent, isPlausiblePercent } from './plausibility.ts';
import { buildUsageContext, isNamedMem, type UsageContext, type UsageField } from './usage-shares.ts';

/** The usage of CPU, memory and disk. Values that weren't found are missing. */
export interface UsageMetrics {
  /** From 0 to 100, or more if the service adds up the cores. */
  readonly cpuPercent?: number;
  readonly memoryUsedBytes?: number;
  readonly memoryTotalBytes?: number;
  readonly memoryPercent?: number;
  readonly diskUsedBytes?: number;
  readonly diskTotalBytes?: number;
  readonly diskPercent?: number;
}

/** A measurement, and the field under which its context knows it. */
interface Candidate {
  readonly measurement: LeafMeasurement;
  readonly field: UsageField;
}

/** Reads the usage of CPU, memory and disk. Also returns the leaves that it used. */
export function readLiveUsage(measured: readonly LeafMeasurement[]): {
  readonly metrics: UsageMetrics;
  readonly usedLeaves: ReadonlySet<Leaf>;
} {
  const candidates = measured.map((measurement): Candidate => {
    const { leaf, meaning, quantity } = measurement;
    const hasUnit = !hasNoUnit(measurement);
    return { measurement, field: { path: leaf.path, meaning, values: [quantity.value], hasUnit } };
  });
  const context = buildUsageContext(candidates.map(({ field }) => field));
  const usedLeaves = new Set<Leaf>();
  const cpu = findPercent(candidates, 'cpu', context);
  if (cpu) usedLeaves.add(cpu.leaf);
  const memory = readResourceUsage('memory', candidates, context, usedLeaves);
  const disk = readResourceUsage('disk', candidates, context, usedLeaves);
  return {
    metrics: {
      ...(cpu && { cpuPercent: cpu.percent }),
      ...(memory.used !== undefined && { memoryUsedBytes: memory.used }),
      ...(memory.total !== undefined && { memoryTotalBytes: memory.total }),
      ...(memory.percent !== undefined && { memoryPercent: memory.percent }),
      ...(disk.used !== undefined && { diskUsedBytes: disk.used }),
      ...(disk.total !== undefined && { diskTotalBytes: disk.total }),
      ...(disk.percent !== undefined && { diskPercent: disk.percent }),
    },
    usedLeaves,
  };
}

/**
 * Finds the first plausible percentage. One with a unit is preferred, and a current value is
 * preferred to an average.
 */
function findPercent(
  candidates: readonly Candidate[],
  subject: 'cpu' | 'memory' | 'disk',
  { scales, maxCpuPercent }: UsageContext,
): { readonly leaf: Leaf; readonly percent: number } | undefined {
  const found = candidates.flatMap(({ measurement, field }) => {
    const { leaf, meaning, quantity } = measurement;
    if (meaning.subject !== subject || !isUsage(measurement)) return [];
    const explicit = parseExplicitPercent(measurement);
    const scale = scales.get(field);
    const percent = explicit ?? (scale === undefined ? undefined : quantity.value * scale);
    const isStated = percent !== undefined && isPlausiblePercent(subject, percent, maxCpuPercent);
    return isStated ? [{ leaf, percent, meaning, isExplicit: explicit !== undefined }] : [];
  });
  return found.toSorted(
    (a, b) =>
      Number(b.isExplicit) - Number(a.isExplicit) ||
      Number(a.meaning.isAverage) - Number(b.meaning.isAverage) ||
      Number(b.meaning.role !== undefined) - Number(a.meaning.role !== undefined),
  )[0];
}

function isUsage({ meaning: { role } }: LeafMeasurement): boolean {
  return role === undefined || role === 'used' || role === 'usage';
}

interface ResourceUsage {
  readonly used: number | undefined;
  readonly total: number | undefined;
  readonly percent: number | undefined;
}

function readResourceUsage(
  subject: 'memory' | 'disk',
  candidates: readonly Candidate[],
  context: UsageContext,
  usedLeaves: Set<Leaf>,
): ResourceUsage {
  const own = candidates.filter(({ field }) => field.meaning.subject === subject);
  const amounts = findAmounts(
    own.map(({ measurement }) => measurement),
    context.inBytes.has(subject),
  );
  const explicit = findPercent(candidates, subject, context);
  if (explicit) usedLeaves.add(explicit.leaf);
  const { used } = amounts;
  const total = amounts.total === 0 ? undefined : amounts.total;
  // If more is used than the total, one of the two is something else. Proxmox VE shows 0 if it
  // can't look into a machine: no disk is empty, and every busy VPS uses memory.
  const areStated = used === undefined || total === undefined || calculatePercent(used, total) !== undefined;
  const isBusy = candidates.some(
    ({ field }) => field.meaning.subject === 'cpu' && field.values.some(Boolean),
  );
  const isKnown = used !== 0 || (subject === 'memory' && !isBusy);
  if (areStated || !isKnown) for (const leaf of amounts.leaves) usedLeaves.add(leaf);
  return {
    used: areStated && isKnown ? used : undefined,
    total: areStated || !isKnown ? total : undefined,
    percent:
      explicit?.percent ??
      (isKnown ? calculatePercent(used, total) : undefined) ??
      calculateUnitlessPercent(own, context),
  };
}

/** Finds the amounts in bytes, and the leaves that contain them. */
function findAmounts(own: readonly LeafMeasurement[], isInBytes: boolean) {
  const leaves: Leaf[] = [];
  const inBytes = own.flatMap((each) => {
    const bytes = parseExplicitPercent(each) === undefined ? toBytes(each, isInBytes) : undefined;
    return bytes === undefined ? [] : [{ leaf: each.leaf, role: each.meaning.role, bytes }];
  });
  const hasTotal = inBytes.some(({ role }) => role === 'total' || role === 'limit');
  const findBytes = (...roles: readonly LeafMeasurement['meaning']['role'][]) => {
    const found = inBytes.find(({ role }) => roles.includes(role));
    if (found) leaves.push(found.leaf);
    return found?.bytes;
  };
  /** What is available includes caches, unlike what is free. */
  const findMostFree = () => {
    const [most] = inBytes.filter(({ role }) => role === 'free').toSorted((a, b) => b.bytes - a.bytes);
    if (most) leaves.push(most.leaf);
    return most?.bytes;
  };
  const explicitUsed = findBytes('used', 'usage');
  const total =
    findBytes('total', 'limit') ?? (explicitUsed === undefined ? undefined : findBytes(undefined));
  // Without a total, a bare amount can be what is used as well as the size; `mem` of Proxmox VE is used.
  const isUsed = hasTotal || own.some(({ leaf }) => isNamedMem(leaf.path));
  const bare = isUsed ? findBytes(undefined) : undefined;
  const used = explicitUsed ?? bare ?? subtractFree(total, findMostFree());
  return { used, total, leaves };
}

function subtractFree(total: number | undefined, free: number | undefined): number | undefined {
  return total === undefined || free === undefined || free > total ? undefined : total - free;
}

/** Calculates a percentage from two numbers in the same unknown unit. */
function calculateUnitlessPercent(own: readonly Candidate[], { scales }: UsageContext): number | undefined {
  const unitless = own.filter(({ field }) => !field.hasUnit && !scales.has(field));
  const amountOf = (...roles: readonly UsageField['meaning']['role'][]) =>
    unitless.find(({ field }) => roles.includes(field.meaning.role))?.measurement.quantity.value;
  const total = amountOf('total', 'limit');
  const used = amountOf('used') ?? unclearAmount(amountOf(undefined, 'usage'), total);
  return used === 0 ? undefined : calculatePercent(used, total);
}

/** Returns the amount if it can't also be a percentage. A small number beside a large total can be both. */
function unclearAmount(amount: number | undefined, total: number | undefined): number | undefined {
  return amount !== undefined && total !== undefined && (amount > 100 || total < 1) ? amount : undefined;
}
