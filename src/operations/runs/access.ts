import type { NextStep } from '../outcome.ts';
import type { Right } from '../right.ts';
import type { Asker, Origin } from './run.ts';

/** What a run needs to be allowed. */
export interface Need {
  readonly right: Right;
  /** The VPS that it names; where it names none it concerns them all. */
  readonly vps: readonly string[];
}

/** Why somebody may not: what is missing, who can help, and buttons that ask them. */
export interface Refusal {
  readonly what: string;
  readonly next: string;
  readonly steps?: readonly NextStep[];
}

/** Decides, by the ids that Slack signed, whether a person may run something at a place; gives nothing where they may. Denied unless granted. */
export type Access = (asker: Asker, origin: Origin, need: Need) => Promise<Refusal | undefined>;
