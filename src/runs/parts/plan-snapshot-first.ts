import type { ChangeOperation } from '../../operations/define/operation.ts';
import { toAutomaticName } from '../../operations/snapshot/automatic-name.ts';
import { isConfirmed } from '../confirmed-state.ts';
import type { ChangeRun } from '../pipeline/run-context.ts';
import type { RunServices } from '../pipeline/run-services.ts';
import type { ActiveRun } from '../run.ts';
import { decideNext, toProgress } from './decide-next.ts';
import type { Part, PlanParts } from './start-part.ts';

/** Plans a snapshot, and the change that begins once the snapshot is complete. */
export function planSnapshotFirst(
  { run, operation }: ChangeRun<ActiveRun>,
  deadlineMs: number,
  { catalogue, now }: Pick<RunServices, 'catalogue' | 'now'>,
): PlanParts {
  const snapshotOperation = catalogue.find('snapshot create');
  if (snapshotOperation?.kind !== 'change') throw new Error('there is no operation that takes a snapshot');
  const parts = createParts(run, operation, snapshotOperation);
  return (parent, stored, starting) => {
    const find = ({ name }: ChangeOperation) => stored.find((part) => part.operation === name);
    const [snapshot, change] = [find(snapshotOperation), find(operation)];
    const current = { parent, operation, snapshotOperation, snapshot, change, deadlineMs };
    const act = decideNext(current, now());
    if (act.kind === 'end' && starting.size === 0) return act;
    const start = act.kind === 'start' ? [parts[act.part]] : [];
    const isNew = ({ requestKey }: Part) => !starting.has(requestKey);
    return { kind: 'goOn', start: start.filter(isNew), progress: toProgress(current) };
  };
}

function createParts(run: ActiveRun, operation: ChangeOperation, snapshotOperation: ChangeOperation) {
  const { snapshotFirst: _, ...input } = run.input;
  const { vps = '', reason } = input;
  const { displayNames, confirmedState } = run;
  const snapshot: Part = {
    requestKey: `snapshot-first:${run.id}:snapshot`,
    operation: snapshotOperation,
    raw: {
      vps,
      name: toAutomaticName(`before ${run.operation}`, run.queuedMs, run.id),
      ...(reason !== undefined && { reason }),
    },
    displayNames,
  };
  const change: Part = {
    requestKey: `snapshot-first:${run.id}:change`,
    operation,
    raw: input,
    displayNames,
    async findDifference({ parsed, operationContext }) {
      const state = await operation.readTargetState?.(operationContext, parsed.input);
      const isSame = !state || confirmedState.kind === 'unconfirmed' || isConfirmed(confirmedState, state);
      return isSame ? undefined : 'The target has changed since this was confirmed.';
    },
  };
  return { snapshot, change };
}
