import { z } from 'zod';

export const findingKinds = ['state', 'disk', 'diskTrend', 'memory', 'cpu', 'change', 'traffic'] as const;

export const findingKindSchema = z.enum(findingKinds);

export type FindingKind = z.infer<typeof findingKindSchema>;

/** A problem with a VPS, with figures and times. Plain text that can contain text from the service. */
export interface Finding {
  readonly kind: FindingKind;
  /** A phrase that follows the name of the VPS: "CPU 93% for 6 h". */
  readonly summary: string;
  /** A sentence with the details. */
  readonly detail: string;
  /** From 0 to 1, where 1 is worst. */
  readonly severity: number;
}

/**
 * The minimum and maximum severity of a kind of finding. The ranges overlap: a full disk is worse than high CPU for a
 * while, which is worse than a nearly full disk.
 */
export type SeverityRange = readonly [least: number, greatest: number];

/** Returns the severity of an amount: the minimum for 0, and halfway to the maximum for `half`. */
export function toSeverity([least, greatest]: SeverityRange, amount: number, half: number): number {
  const share = Number.isFinite(amount) ? amount / (amount + half) : 1;
  return least + (greatest - least) * share;
}
