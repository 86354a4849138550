import { parseInput } from '../../../operations/define/arguments/input.ts';
import { offersSnapshot, snapshotFirstInput } from '../../snapshot-first/snapshot-first.ts';
import type { ConfirmedRun } from '../run-context.ts';
import { type Next, next } from '../step.ts';

/**
 * Applies the choices that the person made when confirming: the pace of a batch, a reason, a snapshot
 * first. They are stored with the next card, or when the run is queued.
 */
export async function applyChoices(confirmed: ConfirmedRun): Promise<Next<ConfirmedRun>> {
  const { run, operation, parsed, click } = confirmed;
  const reason = click.reason?.trim();
  const chosen = {
    ...(click.atATime !== undefined && operation.batchOf && { atATime: String(click.atATime) }),
    ...(reason && { reason }),
    ...(click.snapshotFirst && offersSnapshot(operation, parsed.input) && snapshotFirstInput),
  };
  if (Object.keys(chosen).length === 0) return next(confirmed);
  const withChoices = parseInput(operation, { ...parsed.raw, ...chosen });
  if (withChoices.kind === 'invalid') return next(confirmed);
  return next({ ...confirmed, run: { ...run, input: withChoices.raw }, parsed: withChoices });
}
