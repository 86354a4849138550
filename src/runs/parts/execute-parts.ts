import { isSnapshotFirst } from '../pipeline/confirmation/card-offers.ts';
import type { ChangeRun } from '../pipeline/run-context.ts';
import type { RunServices } from '../pipeline/run-services.ts';
import { beginParts } from '../pipeline/sending/send.ts';
import type { ActiveRun } from '../run.ts';
import { planBatch } from './plan-batch.ts';
import { planSnapshotFirst } from './plan-snapshot-first.ts';
import type { Part } from './start-part.ts';

/** How long after being queued a run can still start parts. */
export const maxDurationMs = 60 * 60_000;

/** How long a change by another process can go unnoticed. Changes by this process are noticed at once. */
const maxWaitMs = 5_000;

/** Starts a part, unless it was already started. Resolves when the part is queued, or has ended without a call. */
export type StartPart = (
  parent: ChangeRun,
  part: Part,
  startByMs: number,
  services: RunServices,
) => Promise<void>;

/** Returns whether a run makes no call itself but has parts that do. */
export function hasParts({ run, operation }: Pick<ChangeRun, 'run' | 'operation'>): boolean {
  return operation.batchOf !== undefined || isSnapshotFirst(run);
}

/**
 * Executes a run with parts, which are ordinary runs: one per VPS in a batch, or a snapshot and then the change.
 * Another process can continue the run at any point, because each part has at most one run.
 */
export async function executeParts(
  queued: ChangeRun<ActiveRun>,
  startPart: StartPart,
  services: RunServices,
): Promise<void> {
  const begun = await beginParts(queued, services);
  if (!begun) return;
  const { runs, settleAndShow, stopping, now, log } = services;
  const { id } = begun.run;
  const startByMs = begun.run.queuedMs + maxDurationMs;
  const plan = begun.operation.batchOf
    ? planBatch(begun, begun.operation.batchOf, startByMs, now)
    : planSnapshotFirst(begun, startByMs, services);
  const starting = new Map<string, Promise<void>>();
  let shown = '';
  while (!stopping.aborted) {
    // Called before the parts are read, so no change is missed.
    const changed = runs.changes.next(id, maxWaitMs, stopping);
    const [parent, parts] = await Promise.all([runs.find(id), runs.listBatch(id)]);
    if (parent?.status !== 'sent') break;
    const next = plan(parent, parts, new Set(starting.keys()));
    if (next.kind === 'end') {
      if (next.progress) await runs.saveProgress(id, next.progress);
      await settleAndShow({ ...parent, progress: next.progress }, ['sent'], next.end);
      break;
    }
    const view = JSON.stringify([next.progress, parent.stoppedBy]);
    if (view !== shown) await runs.showView(parent, { progress: next.progress });
    shown = view;
    for (const part of next.start) {
      const started = startPart(begun, part, startByMs, services).then(
        () => {
          starting.delete(part.requestKey);
          runs.changes.notify(id);
        },
        (error: unknown) => {
          // The part is retried after a pause.
          starting.delete(part.requestKey);
          log.error({ err: error, runId: id }, 'a part of a run could not be started');
        },
      );
      starting.set(part.requestKey, started);
    }
    await changed;
  }
  await Promise.all(starting.values());
}
