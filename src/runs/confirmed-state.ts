import type { TargetState } from '../operations/define/target-state.ts';

/** The target's state that a person saw when confirming a run or being asked to approve it. */
export type ConfirmedState =
  | { readonly kind: 'unconfirmed' }
  /** The target has no state, or was confirmed before its state was known. */
  | { readonly kind: 'without-state' }
  | { readonly kind: 'state'; readonly fingerprint: string };

/** Returns the state that a card showing this target confirms. */
export function toConfirmedState(target: Pick<TargetState, 'fingerprint'> | undefined): ConfirmedState {
  return target ? { kind: 'state', fingerprint: target.fingerprint } : { kind: 'without-state' };
}

export function isConfirmed(
  state: ConfirmedState,
  { fingerprint }: Pick<TargetState, 'fingerprint'>,
): boolean {
  return state.kind === 'state' && state.fingerprint === fingerprint;
}

export function toStateColumn(state: ConfirmedState): string | null {
  if (state.kind === 'unconfirmed') return null;
  return state.kind === 'state' ? state.fingerprint : '';
}

export function fromStateColumn(column: string | null): ConfirmedState {
  if (column === null) return { kind: 'unconfirmed' };
  return column === '' ? { kind: 'without-state' } : { kind: 'state', fingerprint: column };
}
