import type { Logger } from 'pino';
import { HostingError } from '../hosting/hosting-error.ts';
import { hasParts } from './parts/execute-parts.ts';
import type { ActiveRuns } from './pipeline/active-runs.ts';
import { restartedMessage } from './pipeline/run-ends.ts';
import type { RunRecords, RunServices } from './pipeline/run-services.ts';
import { activeStatuses } from './pipeline/run-settler.ts';
import { settleUnsuccessful } from './pipeline/sending/failed-call.ts';
import { readStoredChange } from './pipeline/unreadable-runs.ts';
import { executeRun } from './pipeline.ts';
import { expiredProblem, interruptedProblem, type Problem, unreadableRunProblem } from './problem.ts';
import { createProblemEnd, type Run, type UnsuccessfulStatus } from './run.ts';
import type { RunStore } from './store/run-store.ts';

// At startup and every ten seconds, each process looks for runs that no process is working on. A queued
// change continues. A sent change is never sent again, so its outcome is unknown. Anyone waiting for a
// reply gets a message to try again.

/** How long a process counts as alive after it last extended its leases. */
export const leaseMs = 30_000;

/** How long after a run ended its result can still be reported. */
const notificationMaxAgeMs = 24 * 60 * 60_000;

interface RunReaperDependencies {
  readonly runs: RunStore;
  readonly activeRuns: ActiveRuns;
  readonly recover: (run: Run) => Promise<void>;
  readonly owner: string;
  /** Whether other processes can work on the same runs. */
  readonly hasReplicas: boolean;
  readonly now: () => number;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * Finishes runs left behind by a process that ended or by an error. Expires overdue runs. Shows results that
 * were never delivered.
 */
export interface RunReaper {
  /** Checks the runs now and every 10 s. */
  start(): Promise<void>;
  stop(): void;
  /** Stops the checks and ends this process's leases, so another process takes over its runs at once. */
  release(): Promise<void>;
}

export function createRunReaper(dependencies: RunReaperDependencies): RunReaper {
  const { runs, activeRuns, recover, owner, hasReplicas, now, log } = dependencies;
  let timer: NodeJS.Timeout | undefined;
  /** This process's runs that weren't being worked on at the previous check. */
  let idle: ReadonlySet<string> = new Set();

  const resume = (run: Run) => activeRuns.start(run.id, recover(run));

  async function reap(leaseBeforeMs: number): Promise<void> {
    const lease = { owner, untilMs: now() + leaseMs };
    const sinceMs = now() - notificationMaxAgeMs;
    await runs.extendLeases(lease, sinceMs);
    for (const run of await runs.adopt(lease, leaseBeforeMs)) resume(run);
    // A run is stored shortly before work on it begins, so only a run that's idle at two checks is resumed.
    const listed = await runs.listOwned(owner);
    // Another process may have received the click on Cancel.
    for (const { id, stoppedBy } of listed) if (stoppedBy !== undefined) activeRuns.cancelWaitingCalls(id);
    const owned = listed.filter(({ id }) => !activeRuns.has(id));
    for (const run of owned) if (idle.has(run.id)) resume(run);
    idle = new Set(owned.map(({ id }) => id));
    await runs.showUndelivered(owner, leaseBeforeMs, sinceMs);
    // Actors who got a card aren't notified, because clicking its button tells them that it has expired.
    await runs.expireOverdue({ kind: 'problem', problem: expiredProblem() }, now());
  }

  return {
    async start() {
      timer = setInterval(() => {
        reap(hasReplicas ? now() : 0).catch((error) => log.error({ err: error }, 'could not check the runs'));
      }, leaseMs / 3);
      timer.unref();
      // Without replicas, no other process is alive, so the leases of earlier processes don't
      // count.
      await reap(hasReplicas ? now() : Number.MAX_SAFE_INTEGER);
    },
    stop() {
      clearInterval(timer);
    },
    release() {
      clearInterval(timer);
      return runs.endLeases(owner, now() - notificationMaxAgeMs);
    },
  };
}

/**
 * Finishes a run that no process is working on. A queued change is executed; a sent one is never sent again.
 * A run that can't be read ends.
 */
export async function recoverRun(run: Run, services: RunServices): Promise<void> {
  const { catalogue, openEnvironment } = services;
  if (run.settledMs !== null) return;
  if (run.status === 'waiting') {
    return settle(run, 'expired', interruptedProblem(restartedMessage, { isChanging: false }, run), services);
  }
  const kind = catalogue.find(run.operation)?.kind;
  if (kind === 'read' || kind === 'local') {
    const isChanging = kind === 'local';
    const problem = interruptedProblem(
      'Rackhand was interrupted before it could reply.',
      { isChanging },
      run,
    );
    return settle(run, isChanging ? 'unknown' : 'expired', problem, services);
  }
  const stored = readStoredChange(run, catalogue);
  if (stored.kind === 'unreadable') {
    services.unreadableRuns.add(run, stored.reason);
    // Only a change has a title. Other operations may have changed Rackhand's own data before their reply.
    const isChanging = run.status === 'sent' || run.title === null;
    return settle(run, isChanging ? 'unknown' : 'expired', unreadableRunProblem({ isChanging }), services);
  }
  const { operation, parsed } = stored;
  const change = { run, operation, parsed, sendByMs: run.expiresMs ?? 0, ...openEnvironment(run) };
  // A batch, and a change that waits for its snapshot, make no call themselves.
  if (run.status === 'queued' || hasParts(change)) return executeRun(change, services);
  const message = 'Rackhand stopped during the call.';
  const error = new HostingError('stopped', message, { sendState: 'unknown' });
  await settleUnsuccessful(error, change, services, { wasSent: true });
}

async function settle(
  run: Run,
  status: UnsuccessfulStatus,
  problem: Problem,
  { settleAndShow }: RunRecords,
): Promise<void> {
  const from = run.status === 'waiting' ? (['waiting'] as const) : activeStatuses;
  await settleAndShow(run, from, createProblemEnd(status, problem));
}
