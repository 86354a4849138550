import { z } from 'zod';

export const findingKinds = ['state', 'disk', 'diskTrend', 'memory', 'cpu', 'change', 'traffic'] as const;

export const findingKindSchema = z.enum(findingKinds);

export type FindingKind = z.infer<typeof findingKindSchema>;

/** A problem with a VPS. Plain text, which can include text from the service. */
export interface Finding {
  readonly kind: FindingKind;
  /** A phrase that follows the VPS name: "CPU 93% for 6 h". */
  readonly summary: string;
  readonly detail: string;
  /** From 0 to 1, where 1 is worst. */
  readonly severity: number;
}

/**
 * The severity range of a kind of finding. Ranges overlap: a full disk is worse than briefly high CPU, which is worse
 * than a nearly full disk.
 */
export type SeverityRange = readonly [least: number, greatest: number];

/** Maps an amount to a severity: the minimum for 0, halfway to the maximum for `half`. */
export function toSeverity([least, greatest]: SeverityRange, amount: number, half: number): number {
  const share = Number.isFinite(amount) ? amount / (amount + half) : 1;
  return least + (greatest - least) * share;
}
