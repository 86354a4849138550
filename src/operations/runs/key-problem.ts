import type { ErrorCode } from '../../error.ts';
import { connectStep, rotateStep } from '../key-steps.ts';
import type { NextStep } from '../outcome.ts';
import type { Need } from './access.ts';
import type { Problem } from './problem.ts';

/** What it takes to connect a key, or to replace it. */
export const keyNeed: Need = { right: 'administer', vps: [] };

/** How what is wrong with the key is put right, and by whom. */
interface Remedy {
  readonly step: NextStep;
  /** For those who may do it. */
  readonly own: string;
  /** For everybody else, and where nobody knows who reads it. */
  readonly others: string;
}

const who = 'owners and admins of this workspace, and whoever has the right “administer”, can';

export const keyRemedies = {
  key_missing: {
    step: connectStep,
    own: 'Connect an API key: it takes a minute.',
    others: `Ask for an API key to be connected: ${who} do it.`,
  },
  key_rejected: {
    step: rotateStep,
    own: 'It may have been revoked: give another one.',
    others: `It may have been revoked. Ask for another: ${who} replace it.`,
  },
  permission_missing: {
    step: rotateStep,
    own: 'Give the key this permission in the dashboard of the hosting service, or replace it by one that has it.',
    others: `Ask for a key that has it: ${who} replace this one.`,
  },
} as const satisfies Partial<Record<ErrorCode, Remedy>>;

/** Says how it is put right, where it is the key that is wrong. */
export function keyRemedyOf(code: ErrorCode): Remedy | undefined {
  return Object.entries(keyRemedies).find(([known]) => known === code)?.[1];
}

/** Offers those who may change the key to put right what is wrong with it, and tells others whom to ask. */
export function withRemedyFor(problem: Problem, mayChangeKey: boolean): Problem {
  const remedy = keyRemedyOf(problem.code);
  if (!remedy) return problem;
  const { next, steps = [] } = problem;
  if (mayChangeKey) return { ...problem, next: next === remedy.others ? remedy.own : next };
  return { ...problem, steps: steps.filter((step) => step !== remedy.step) };
}
