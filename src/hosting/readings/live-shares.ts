import type { Leaf } from './leaves.ts';
import type { LiveReading } from './live.ts';
import { areFractions, bytesIn, isBare, type MeasuredLeaf, toldPercent } from './shares.ts';

type ShareFields = Pick<
  LiveReading,
  | 'cpuPercent'
  | 'memoryUsedBytes'
  | 'memoryTotalBytes'
  | 'memoryPercent'
  | 'diskUsedBytes'
  | 'diskTotalBytes'
  | 'diskPercent'
>;

/** Used may seem to be more than all there is, by the way in which it is measured, but not by more than this. */
const mostShare = 1.05;

/** Reads how much of the CPUs, the memory and the disk is used, and lists the leaves that tell it. */
export function liveShares(measured: readonly MeasuredLeaf[]): {
  readonly reading: ShareFields;
  readonly used: ReadonlySet<Leaf>;
} {
  const used = new Set<Leaf>();
  const { cpu, other } = scalesOf(measured);
  const cpuShare = measured.filter(({ meaning }) => meaning.subject === 'cpu');
  const cpuPercent = firstPercent(cpuShare, cpu, used);
  const memory = roomOf('memory', measured, other, used);
  const disk = roomOf('disk', measured, other, used);
  return {
    reading: {
      ...(cpuPercent !== undefined && { cpuPercent }),
      ...(memory.used !== undefined && { memoryUsedBytes: memory.used }),
      ...(memory.total !== undefined && { memoryTotalBytes: memory.total }),
      ...(memory.percent !== undefined && { memoryPercent: memory.percent }),
      ...(disk.used !== undefined && { diskUsedBytes: disk.used }),
      ...(disk.total !== undefined && { diskTotalBytes: disk.total }),
      ...(disk.percent !== undefined && { diskPercent: disk.percent }),
    },
    used,
  };
}

/** By how much bare shares are to be multiplied. Who counts CPUs beside their use, as Proxmox VE does, means fractions. */
function scalesOf(measured: readonly MeasuredLeaf[]): { readonly cpu: number; readonly other: number } {
  const bareShares = measured.filter(isBareShare);
  const other = areFractions(bareShares.map(({ quantity }) => quantity.value)) ? 100 : 1;
  const hasCores = measured.some(({ meaning }) => meaning.subject === 'cores');
  const cpus = bareShares.filter(({ meaning }) => meaning.subject === 'cpu');
  const cpu = hasCores && areFractions(cpus.map(({ quantity }) => quantity.value)) ? 100 : other;
  return { cpu, other };
}

function isBareShare(each: MeasuredLeaf): boolean {
  const { subject, role } = each.meaning;
  const canBeShare = subject === 'cpu' || subject === 'memory' || subject === 'disk';
  if (!canBeShare || role === 'total' || role === 'free' || !isBare(each)) return false;
  return subject === 'cpu' || (each.quantity.value <= 100 && bytesIn(each) === undefined);
}

/** Reads the first share: one that says so, or else a bare one. */
function firstPercent(
  candidates: readonly MeasuredLeaf[],
  scale: number,
  used: Set<Leaf>,
): number | undefined {
  const told = candidates.find((each) => toldPercent(each) !== undefined);
  const found = told ?? candidates.find(isBareShare);
  if (found) used.add(found.leaf);
  return told ? toldPercent(told) : found && found.quantity.value * scale;
}

interface Room {
  readonly used: number | undefined;
  readonly total: number | undefined;
  readonly percent: number | undefined;
}

function roomOf(
  subject: 'memory' | 'disk',
  measured: readonly MeasuredLeaf[],
  scale: number,
  leavesUsed: Set<Leaf>,
): Room {
  const own = measured.filter(({ meaning }) => meaning.subject === subject);
  const inBytes = own.flatMap((each) => {
    const bytes = toldPercent(each) === undefined ? bytesIn(each) : undefined;
    return bytes === undefined ? [] : [{ leaf: each.leaf, role: each.meaning.role, bytes }];
  });
  const take = (role: 'used' | 'total' | 'free' | undefined) => {
    const found = inBytes.find((each) => each.role === role);
    if (found) leavesUsed.add(found.leaf);
    return found?.bytes;
  };
  const told = take('used');
  const total = take('total') ?? (told === undefined ? undefined : take(undefined));
  const used = told ?? take(undefined) ?? usedBeside(total, take('free'));
  const shares = own.filter(({ meaning }) => meaning.role !== 'free' && meaning.role !== 'total');
  const percent =
    firstPercent(withoutAmounts(own, shares), scale, leavesUsed) ?? percentOf(used, total) ?? ratioOf(own);
  return { used, total, percent };
}

function usedBeside(total: number | undefined, free: number | undefined): number | undefined {
  return total === undefined || free === undefined || free > total ? undefined : total - free;
}

/** Small bare numbers beside a bare total count in a unit that nobody tells: they are no shares. */
function withoutAmounts(
  own: readonly MeasuredLeaf[],
  shares: readonly MeasuredLeaf[],
): readonly MeasuredLeaf[] {
  return unitlessTotal(own) === undefined ? shares : shares.filter((each) => toldPercent(each) !== undefined);
}

function unitlessTotal(own: readonly MeasuredLeaf[]): number | undefined {
  return own.find((each) => each.meaning.role === 'total' && isBare(each) && bytesIn(each) === undefined)
    ?.quantity.value;
}

/** The share that needs no unit: of two bare numbers. */
function ratioOf(own: readonly MeasuredLeaf[]): number | undefined {
  const used = own.find((each) => isBare(each) && (each.meaning.role ?? 'used') === 'used');
  return percentOf(used?.quantity.value, unitlessTotal(own));
}

function percentOf(used: number | undefined, total: number | undefined): number | undefined {
  if (used === undefined || total === undefined || total <= 0 || used > total * mostShare) return undefined;
  return (used / total) * 100;
}
