import { inputOf, parseInput, takesVps, vpsNamesOf } from '../input.ts';
import { type Operation, rightOf } from '../operation.ts';
import type { NextStep, RawInput } from '../outcome.ts';
import type { Right } from '../right.ts';
import type { Asker, Origin } from './run.ts';

/** What a run needs to be allowed. */
export interface Need {
  readonly right: Right;
  /** The VPS that it names; where it names none it concerns them all. */
  readonly vps: readonly string[];
  /** It names none yet, or leaves out what its asker may not see: a right on some VPS is enough. */
  readonly isForSome?: boolean;
}

/** Why somebody may not: what is missing, who can help, and buttons that ask them. */
export interface Refusal {
  readonly what: string;
  readonly next: string;
  readonly steps?: readonly NextStep[];
}

/** Tells why something is not allowed; nothing where it is. */
export type Reach = (need: Need) => Refusal | undefined;

/** Finds out, by the ids that Slack signed, how far a person's rights reach at a place. Denied unless granted. */
export type Access = (asker: Asker, origin: Origin) => Promise<Reach>;

/** Tells whether a VPS may be looked at. */
export function maySee(reach: Reach, vps: string): boolean {
  return reach({ right: 'look', vps: [vps] }) === undefined;
}

/** Tells what an operation needs with what was given; nothing where everybody of the workspace may. */
export function needOf(operation: Operation, raw: RawInput): Need | undefined {
  const input = inputOf(operation, raw);
  const right = rightOf(operation, input);
  if (right === null) return undefined;
  const { arguments: fields } = operation;
  const vps = operation.isAccountWide ? [] : vpsNamesOf(fields, input);
  const isPartial = operation.kind === 'read' && operation.isPartial === true;
  const isUnfinished = takesVps(operation) && !parseInput(operation, raw).ok;
  return { right, vps, isForSome: isPartial || isUnfinished };
}

/** Tells whether a person may run an operation on anything at all. */
export function mayBegin(reach: Reach, operation: Operation): boolean {
  const need = needOf(operation, {});
  return need === undefined || reach(need) === undefined;
}
