import { z } from 'zod';

export const findingKinds = ['state', 'disk', 'diskTrend', 'memory', 'cpu', 'change', 'traffic'] as const;

export const findingKind = z.enum(findingKinds);

export type FindingKind = z.infer<typeof findingKind>;

/** Something about a VPS that stands out, with its figure and its period. Plain text, with the service's own words in it. */
export interface Finding {
  readonly kind: FindingKind;
  /** To be put behind the name of the VPS: "CPU 93 % for 6 h". */
  readonly words: string;
  /** A sentence of its own that tells more. */
  readonly detail: string;
  /** 0 to 1; more is worse. */
  readonly severity: number;
}

/** The least and the greatest severity of a kind. Kinds overlap: a full disk is worse than a while of high CPU, and that worse than a disk that is just high. */
export type Severities = readonly [least: number, greatest: number];

/** Gives the severity of an amount from 0 on, of which `half` leads half of the way to the greatest. */
export function severityOf([least, greatest]: Severities, amount: number, half: number): number {
  const share = Number.isFinite(amount) ? amount / (amount + half) : 1;
  return least + (greatest - least) * share;
}
