import type { Progress } from '../../operations/define/target-state.ts';
import type { Run, RunSettlement } from '../run.ts';
import type { Part } from './start-part.ts';

/** What a run with parts does next. */
export type NextParts =
  /** Starts these parts, and goes on when any part changes. */
  | { readonly kind: 'goOn'; readonly start: readonly Part[]; readonly progress: Progress }
  | { readonly kind: 'end'; readonly end: RunSettlement; readonly progress: Progress | null };

/** Decides what a run does next, from its stored parts and the keys of those that are being started. */
export type PlanParts = (parent: Run, parts: readonly Run[], starting: ReadonlySet<string>) => NextParts;
