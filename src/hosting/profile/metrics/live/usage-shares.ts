import type { FieldMeaning } from '../field-meaning.ts';

/** A field about CPU, memory or disk, with its numbers. Live data has one number, a history many. */
export interface UsageField {
  readonly path: readonly string[];
  readonly meaning: FieldMeaning;
  readonly values: readonly number[];
  /** Whether the numbers, or the name, have a unit. */
  readonly hasUnit: boolean;
}

/** Facts about numbers without a unit that the fields of a payload reveal together. */
export interface UsageContext {
  /** Factors that convert numbers without a unit to percent. Numbers that aren't in here aren't shares. */
  readonly scales: ReadonlyMap<UsageField, number>;
  /** Subjects whose amounts are bytes if they have no unit. */
  readonly inBytes: ReadonlySet<FieldMeaning['subject']>;
  /** The highest CPU percentage that is plausible. */
  readonly maxCpuPercent: number;
}

/** A larger share is a percentage. Measuring errors can push a fraction slightly above 1. */
const maxFraction = 1.5;

/**
 * The smallest amounts that can only be bytes. The memory and disk of a VPS have more bytes than
 * this, and fewer KiB than this, so the amounts can't be in KiB.
 */
const minBytes = { memory: 2 ** 27, disk: 2 ** 32 } as const;

/**
 * Some services add up the cores. If they don't report the number of cores, up to this many are
 * assumed.
 */
const maxUnknownCores = 16;
/** Measuring errors can exceed 100% by up to this factor. */
const maxRounding = 1.05;

/** Finds out what numbers without a unit are. A number that could be two things counts as neither. */
export function buildUsageContext(fields: readonly UsageField[]): UsageContext {
  const unitless = fields.filter(({ hasUnit }) => !hasUnit);
  const inBytes = new Set((['memory', 'disk'] as const).filter((subject) => isInBytes(unitless, subject)));
  return {
    scales: findScales(fields, unitless, inBytes),
    inBytes,
    maxCpuPercent: 100 * maxRounding * (findCores(fields) ?? maxUnknownCores),
  };
}

function isInBytes(unitless: readonly UsageField[], subject: 'memory' | 'disk'): boolean {
  return isByteAmount(subject, largest(unitless.filter(({ meaning }) => meaning.subject === subject)));
}

/** Returns whether an amount of memory or disk without a unit is so large that it must be in bytes. */
export function isByteAmount(subject: keyof typeof minBytes, amount: number): boolean {
  return amount >= minBytes[subject];
}

function findCores(fields: readonly UsageField[]): number | undefined {
  const cores = fields.flatMap(({ meaning, values }) => (meaning.subject === 'cores' ? values : []));
  return cores.find((count) => Number.isInteger(count) && count > 0 && count <= 1_024);
}

function largest(fields: readonly UsageField[]): number {
  return fields.reduce((max, { values }) => values.reduce((a, b) => Math.max(a, b), max), 0);
}

function findScales(
  all: readonly UsageField[],
  unitless: readonly UsageField[],
  inBytes: UsageContext['inBytes'],
): ReadonlyMap<UsageField, number> {
  const scales = new Map<UsageField, number>();
  const cpus = unitless.filter(({ meaning }) => meaning.subject === 'cpu');
  const memories = findShareCandidates(all, unitless, 'memory', inBytes);
  const disks = findShareCandidates(all, unitless, 'disk', inBytes);
  const shares = [...memories, ...disks];
  if (isPlan(all)) return scales;
  for (const cpu of cpus) {
    if (isPartOfLimit(cpu, all)) continue;
    const scale = cpuScale(cpu, [...shares, ...cpus], all);
    if (scale !== undefined) scales.set(cpu, scale);
  }
  const hasCpuUsage = all.some(({ meaning }) => meaning.subject === 'cpu');
  for (const share of shares) {
    // A number whose name has no word such as `usage` is a share only if there are other shares.
    const isAlone = share.meaning.role === undefined && !(hasCpuUsage && memories.length > 0);
    const scale = isAlone ? undefined : shareScale(share, cpus, shares);
    if (scale !== undefined) scales.set(share, scale);
  }
  return scales;
}

/**
 * Returns whether a CPU number can be a part of a limit rather than a percentage: 2 of 8 cores, or
 * 96 of 3,600 seconds. A percentage of a limit of 100 is the same.
 */
function isPartOfLimit(cpu: UsageField, all: readonly UsageField[]): boolean {
  return all.some(
    (field) =>
      field.meaning.subject === 'cpuLimit' && largest([field]) !== 100 && largest([cpu]) <= largest([field]),
  );
}

/** Returns the fields of memory or disk that can be shares rather than amounts. */
function findShareCandidates(
  all: readonly UsageField[],
  unitless: readonly UsageField[],
  subject: 'memory' | 'disk',
  inBytes: UsageContext['inBytes'],
): readonly UsageField[] {
  const isOpen = ({ meaning: { role } }: UsageField) => role === undefined || role === 'usage';
  const own = unitless.filter(({ meaning }) => meaning.subject === subject);
  const hasAmounts = all.some(
    (field) =>
      (field.meaning.subject === 'memory' || field.meaning.subject === 'disk') &&
      !field.hasUnit &&
      !inBytes.has(field.meaning.subject) &&
      (isOpen(field) ? largest([field]) > 100 : field.meaning.subject === subject),
  );
  if (hasAmounts) return [];
  // Beside amounts in bytes, 0 is an amount too.
  const min = inBytes.has(subject) ? Number.MIN_VALUE : 0;
  return own.filter((field) => isOpen(field) && largest([field]) >= min && largest([field]) <= 100);
}

/**
 * Field names of Proxmox VE, where CPU is a fraction. From another service, 0.5 could be half of
 * the CPU or half a percent.
 */
const proxmoxField = /^(maxcpu|cpus|maxmem|maxdisk)$/;

/** Returns whether any field has a name that Proxmox VE uses. */
export function hasProxmoxNames(fields: readonly Pick<UsageField, 'path'>[]): boolean {
  return fields.some(({ path }) => proxmoxField.test(path.at(-1) ?? ''));
}

function cpuScale(
  cpu: UsageField,
  shares: readonly UsageField[],
  all: readonly UsageField[],
): number | undefined {
  const max = largest([cpu]);
  if (max === 0) return 1;
  if (max > maxFraction) return 1;
  const others = shares.filter((share) => share !== cpu && largest([share]) > 0);
  const hasPercentages = others.some((share) => largest([share]) > maxFraction);
  if (hasProxmoxNames(all)) return hasPercentages && max === 1 ? undefined : 100;
  if (hasPercentages) return 1;
  return others.some(({ meaning }) => meaning.subject !== 'cpu') ? 100 : undefined;
}

function shareScale(
  share: UsageField,
  cpus: readonly UsageField[],
  shares: readonly UsageField[],
): number | undefined {
  if (largest([share]) > maxFraction || largest([share]) === 0) return 1;
  // Beside percentages, the number is a percentage too. Memory usage can't be that small, so it
  // stays unknown.
  if (shares.some((other) => largest([other]) > maxFraction))
    return share.meaning.subject === 'disk' ? 1 : undefined;
  return cpus.some((cpu) => largest([cpu]) > 0 && largest([cpu]) <= maxFraction) ? 100 : undefined;
}

/** Numbers of cores that services sell. */
const planCpus = [1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64];

/**
 * Returns whether the fields can describe the ordered plan rather than the current usage: `cpu: 2,
 * memory: 4096, disk: 80`.
 */
function isPlan(all: readonly UsageField[]): boolean {
  const cpus = all.filter(({ meaning }) => meaning.subject === 'cpu');
  const memories = all.filter(({ meaning }) => meaning.subject === 'memory');
  const isOrderedCpu = ({ meaning, hasUnit, values }: UsageField) =>
    meaning.role === undefined &&
    !hasUnit &&
    values.every((value) => planCpus.includes(value)) &&
    new Set(values).size === 1;
  const isOrderedMemory = ({ meaning, values }: UsageField) =>
    meaning.role === undefined && new Set(values).size === 1 && values.every(isMemorySize);
  return (
    cpus.length > 0 && memories.length > 0 && cpus.every(isOrderedCpu) && memories.every(isOrderedMemory)
  );
}

/** Memory is sold in powers of two, or in multiples of 512 MB. */
function isMemorySize(value: number): boolean {
  return Number.isInteger(value) && value > 0 && (Number.isInteger(Math.log2(value)) || value % 512 === 0);
}
