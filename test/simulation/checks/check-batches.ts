import type { StatusChange } from '../machine/shared-database.ts';
import type { Arrival } from '../outside/hosting-service.ts';
import type { World } from '../world.ts';
import {
  frozenMs,
  hasClockChange,
  listCalls,
  listVpsOf,
  longestFreezeMs,
  type RunRow,
  sendMarginMs,
  toEventMs,
} from './run-rows.ts';

/** Checks each command on several VPS against its parts and the calls that arrived. */
export async function checkBatches(world: World, runs: readonly RunRow[]): Promise<string[]> {
  const changes = await world.shared.listStatusChanges();
  const doubtful = listDoubtful(changes);
  return runs
    .filter(({ operation }) => operation === 'reboot several')
    .flatMap((batch) => {
      const parts = runs.filter(({ batch_id }) => batch_id === batch.id);
      const name = `the batch (${batch.status})`;
      return [
        ...checkParts(world, batch, parts, doubtful),
        ...checkEnd(batch, parts, changes),
        ...checkStop(world, batch),
        ...checkPace(world, batch, parts),
      ].map((problem) => `${name} ${problem}`);
    });
}

/** A batch is done if each part is. Its parts have ended before it, and none begins afterwards. */
function checkParts(
  world: World,
  batch: RunRow,
  parts: readonly RunRow[],
  doubtful: ReadonlySet<string>,
): string[] {
  const targets = listVpsOf(batch);
  const problems = targets
    .filter((vps) => listReboots(world, vps).length > 0 && !parts.some(({ target }) => target === vps))
    .map((vps) => `sent ${vps} without a run`);
  if (new Set(parts.map(({ target }) => target)).size < parts.length) problems.push('has two runs for a VPS');
  // A batch makes no call, so it always knows how it ended.
  const isUnstarted = batch.status === 'refused' || batch.status === 'expired';
  if (isUnstarted && parts.length > 0) problems.push('has parts');
  if (batch.status === 'unknown') problems.push('lost its parts');
  const done = parts.filter(({ status }) => status === 'done');
  if (batch.status === 'done' && done.length < targets.length)
    problems.push(`has only ${done.length} of ${targets.length} parts done`);
  if (hasClockChange(world) || batch.settled_at === null) return problems;
  const settledMs = batch.settled_at;
  // A frozen process can record a part after another process has ended the batch. It isn't sent.
  const sent = parts.filter(({ sent_at }) => sent_at !== null);
  if (sent.some(({ id, settled_at }) => (settled_at ?? 0) > settledMs && !doubtful.has(id)))
    problems.push('ended before its parts');
  const endMs = toEventMs(world, settledMs);
  // A process can be frozen between marking a part as sent and sending it.
  const isTooLate = ({ atMs, processName }: Arrival) =>
    atMs > endMs + sendMarginMs + frozenMs(world, processName);
  if (targets.some((vps) => listReboots(world, vps).some(isTooLate)))
    problems.push('sent a part after its end');
  return problems;
}

/** No part is marked as sent once the batch has ended. */
function checkEnd(batch: RunRow, parts: readonly RunRow[], changes: readonly StatusChange[]): string[] {
  const end = changes.findIndex(({ run_id, old_status }) => run_id === batch.id && old_status === 'sent');
  const ids = new Set(parts.map(({ id }) => id));
  const isLate = ({ run_id, new_status }: StatusChange, index: number) =>
    ids.has(run_id) && new_status === 'sent' && index > end;
  return end !== -1 && changes.some(isLate) ? ['sent a part after its end'] : [];
}

/** A late answer can still end a run whose end was unknown. */
function listDoubtful(changes: readonly StatusChange[]): ReadonlySet<string> {
  return new Set(changes.filter(({ new_status }) => new_status === 'unknown').map(({ run_id }) => run_id));
}

function listReboots(world: World, vps: string): readonly Arrival[] {
  return listCalls(world, { operation: 'reboot', target: vps });
}

/** No part is sent after a person has stopped the batch. */
function checkStop(world: World, batch: RunRow): string[] {
  const stop = world.events.find(({ ...event }) => event.kind === 'batchStopped' && event.runId === batch.id);
  if (!stop) return [];
  return listVpsOf(batch)
    .flatMap((vps) => listReboots(world, vps))
    .filter(({ atMs, processName }) => atMs > stop.atMs + sendMarginMs + frozenMs(world, processName))
    .map(({ path }) => `sent ${path} after it was stopped`);
}

/**
 * With a pace, no part begins once another one has failed. A part can still begin before the batch
 * notices the failure. One that begins after such a part has ended is always too late.
 */
function checkPace(world: World, batch: RunRow, parts: readonly RunRow[]): string[] {
  const isPaced = JSON.parse(batch.input).atATime !== undefined;
  if (!isPaced || hasClockChange(world)) return [];
  const failures = parts.filter(({ status, settled_at }) => settled_at !== null && status !== 'done');
  const firstMs = Math.min(...failures.map(({ settled_at }) => settled_at ?? 0));
  const begunAfterwards = parts.filter(({ requested_at }) => requested_at > firstMs);
  const isTooLate = ({ requested_at }: RunRow) =>
    requested_at > firstMs + sendMarginMs + longestFreezeMs(world) ||
    begunAfterwards.some(({ settled_at }) => settled_at !== null && settled_at < requested_at);
  return begunAfterwards.some(isTooLate) ? ['began a part after another one had failed'] : [];
}
