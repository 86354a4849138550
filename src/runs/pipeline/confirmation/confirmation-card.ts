import { createHash } from 'node:crypto';
import { listVpsNames } from '../../../operations/define/arguments/input.ts';
import { findWarning, formatTitle, resolveEffect } from '../../../operations/define/inspect-operation.ts';
import type { Fact } from '../../../operations/define/outcome.ts';
import { listNamesFor } from '../../../operations/format/label-vps.ts';
import { hostnameLabel, nameLabel, readVpsState } from '../../../operations/vps/target-state.ts';
import { type ConfirmedState, toConfirmedState, toStateColumn } from '../../confirmed-state.ts';
import type { Run } from '../../run.ts';
import type { Confirmation } from '../../run-reply.ts';
import { findStatedReason, statedFacts } from '../../stated-reason.ts';
import type { ChangeRun } from '../run-context.ts';
import {
  describePace,
  isSnapshotFirst,
  offerPace,
  offersSnapshot,
  snapshotFirstNote,
} from './card-offers.ts';

interface ConfirmationState {
  readonly facts: readonly Fact[];
  readonly confirmedState: ConfirmedState;
}

/** Reads the state that a confirmation card shows. */
export async function readConfirmationState(change: ChangeRun): Promise<ConfirmationState> {
  const { operation, parsed, operationContext } = change;
  const target = await operation.readTargetState?.(operationContext, parsed.input);
  const facts = target?.facts ?? (await readVpsFacts(change));
  return { facts, confirmedState: toConfirmedState(target) };
}

/** Reads facts about the VPS. Used when an operation that normally needs no confirmation asks for one. */
async function readVpsFacts({ operation, parsed, operationContext }: ChangeRun): Promise<readonly Fact[]> {
  const [vps] = listVpsNames(operation.arguments, parsed.input);
  return vps === undefined ? [] : (await readVpsState(operationContext.read, vps)).facts;
}

const changedSinceNote =
  'The target has changed since the change that this undoes. Check it before you confirm.';

interface CardFlags {
  readonly nowMs: number;
  readonly hasTargetChanged: boolean;
  readonly hasChangedSince: boolean;
  /** Whether the team requires a reason and none was given. */
  readonly isReasonMissing: boolean;
  readonly requiresApproval: boolean;
}

const approvalNote = 'This needs approval. Confirming only asks for it.';
const reasonNote = 'Your team requires a reason for this. The button asks for it.';

export function createConfirmationCard(
  { run, operation, parsed: { input } }: ChangeRun,
  { facts, confirmedState }: ConfirmationState,
  { nowMs, hasTargetChanged, hasChangedSince, isReasonMissing, requiresApproval }: CardFlags,
): Confirmation {
  const { button, confirmation } = operation;
  const textToType = confirmation?.textToType?.(input);
  const warning = findWarning(operation, input, { facts, nowMs });
  const title = formatTitle(operation, input, run.displayNames);
  const effect = resolveEffect(operation, input);
  const canAddReason = effect === 'destroy' && findStatedReason(run) === undefined;
  return {
    token: createConfirmationToken(run.id, confirmedState),
    title,
    button,
    ...offerPace(operation, input),
    ...(offersSnapshot(operation, input) && !isSnapshotFirst(run) && { offersSnapshot: true }),
    notes: [
      ...(hasChangedSince ? [changedSinceNote] : []),
      ...(isReasonMissing ? [reasonNote] : []),
      ...(requiresApproval ? [approvalNote] : []),
      ...describePace(operation, input),
      ...(isSnapshotFirst(run) ? [snapshotFirstNote] : []),
    ],
    facts: [...withoutNamesIn(title, facts), ...statedFacts(run)],
    hasTargetChanged,
    effect,
    ...(isReasonMissing ? { reason: 'required' } : canAddReason && { reason: 'optional' }),
    ...(warning && { warning }),
    ...(textToType !== undefined && toTypedTexts(textToType, run)),
  };
}

/** Leaves out a hostname or name that the title already shows. */
function withoutNamesIn(title: string, facts: readonly Fact[]): readonly Fact[] {
  const words = title.split(/[\s():]+/);
  return facts.filter(
    ({ label, value }) =>
      (label !== hostnameLabel && label !== nameLabel) ||
      typeof value !== 'string' ||
      !(words.includes(value) || words.includes(value.split('.')[0] ?? value)),
  );
}

/** Returns the texts that confirm when typed. For a VPS, any name on the card works. */
function toTypedTexts(
  textToType: string,
  { displayNames }: Run,
): Pick<Confirmation, 'textToType' | 'alsoAccepted'> {
  return { textToType, alsoAccepted: listNamesFor(textToType, displayNames).slice(1) };
}

/** Creates the value of a confirmation button: the run's ID and a digest of the state on the card. */
function createConfirmationToken(runId: string, state: ConfirmedState): string {
  return `${runId}.${digestState(state)}`;
}

/** Parses a button's value. `matchesState` says whether the card showed the given state. */
export function parseConfirmationToken(token: string): {
  runId: string;
  matchesState: (state: ConfirmedState) => boolean;
} {
  const [runId = '', digest] = token.split('.');
  return { runId, matchesState: (state) => digestState(state) === digest };
}

function digestState(state: ConfirmedState): string | undefined {
  const column = toStateColumn(state);
  if (column === null) return undefined;
  return createHash('sha256').update(column).digest('base64url').slice(0, 16);
}
