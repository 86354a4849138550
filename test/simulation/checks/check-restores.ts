import type { World } from '../world.ts';
import { frozenMs, listCalls, type RunRow, sendMarginMs } from './run-rows.ts';

/** Checks each restore that waits for another snapshot against its parts and the calls that arrived. */
export function checkRestores(world: World, runs: readonly RunRow[]): string[] {
  return runs
    .filter(
      ({ operation, input }) => operation === 'snapshot restore' && JSON.parse(input).snapshotFirst === 'yes',
    )
    .flatMap((whole) => {
      const parts = runs.filter(({ batch_id }) => batch_id === whole.id);
      const problems = [...checkParts(whole, parts), ...checkOrder(world, whole), ...checkStop(world, whole)];
      return problems.map((problem) => `the restore of ${whole.target} (${whole.status}) ${problem}`);
    });
}

/** The whole ends like the restore, and it takes at most one snapshot. */
function checkParts({ status }: RunRow, parts: readonly RunRow[]): string[] {
  const [snapshot, ...otherSnapshots] = parts.filter(({ operation }) => operation === 'snapshot create');
  const [change, ...otherChanges] = parts.filter(({ operation }) => operation === 'snapshot restore');
  const problems: string[] = [];
  if (otherSnapshots.length + otherChanges.length > 0) problems.push('has a part twice');
  if (change && snapshot?.status !== 'done') problems.push('began without its snapshot');
  if (status === 'done' && change?.status !== 'done') problems.push('did not happen');
  if (status === 'unknown' && !change) problems.push('lost its parts');
  if ((status === 'refused' || status === 'expired') && !change && snapshot) problems.push('has a part');
  return problems;
}

/** Nothing is restored before the snapshot is complete, or if it is broken. */
function checkOrder(world: World, { operation, target }: RunRow): string[] {
  return listCalls(world, { operation, target })
    .filter(({ atMs }) => !world.service.snapshots.hasComplete(target ?? '', atMs))
    .map(() => 'was sent without a complete snapshot');
}

function checkStop(world: World, { id, operation, target }: RunRow): string[] {
  const stop = world.events.find((event) => event.kind === 'batchStopped' && event.runId === id);
  if (!stop) return [];
  return listCalls(world, { operation, target })
    .filter(({ atMs, processName }) => atMs > stop.atMs + sendMarginMs + frozenMs(world, processName))
    .map(() => 'was sent after it was stopped');
}
