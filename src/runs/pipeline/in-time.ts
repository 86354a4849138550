import { withTimeout } from '../../with-timeout.ts';
import type { RunReply } from '../run-reply.ts';
import type { ClaimedRun, DecidedRun } from './run-context.ts';
import { failRun, logProblem } from './run-ends.ts';
import type { RunRecords, RunServices } from './run-services.ts';

/**
 * How long a call can still be sent after the person's last command or click. Without this limit, a reboot
 * could come hours later.
 */
const sendDeadlineMs = 5 * 60_000;

/** Returns when a person acted: at `arrivedMs`, or now if that is unknown or in the future. */
export function toActTime(arrivedMs: number | undefined, { now }: Pick<RunRecords, 'now'>): number {
  return Math.min(arrivedMs ?? Number.POSITIVE_INFINITY, now());
}

export function toSendDeadline(actedMs: number): number {
  return actedMs + sendDeadlineMs;
}

/** Replies with the result of `steps`. Replies with a problem if a step fails or the run expires first. */
export async function replyInTime(
  { run, localChange }: Pick<ClaimedRun, 'run'> & Partial<Pick<ClaimedRun, 'localChange'>>,
  steps: Promise<RunReply>,
  services: RunServices,
): Promise<RunReply> {
  const { activeRuns, now } = services;
  const timeoutMs = (run.expiresMs ?? now()) - now();
  try {
    return await withTimeout(activeRuns.during(run.id, steps), timeoutMs);
  } catch (error) {
    const isChanging = localChange?.hasBegun ?? false;
    if (localChange) localChange.canBegin = false;
    const failed = await failRun(run, error, services, { isChanging });
    if (failed.kind !== 'duplicate') return failed;
    // The steps settled the run just as time ran out, so their reply counts.
    return steps.catch(() => failed);
  }
}

/** Replies to the approver. If a step fails, the run still awaits a decision. */
export async function replyToApprover(
  { run, click }: DecidedRun,
  steps: Promise<RunReply>,
  services: RunServices,
): Promise<RunReply> {
  try {
    return await services.activeRuns.during(run.id, steps);
  } catch (error) {
    const reader = click.approver;
    const problem = await logProblem(run, error, services, { isChanging: false, reader });
    const stored = await services.runs.find(run.id);
    return stored && stored.status !== 'waiting' ? { kind: 'duplicate' } : { kind: 'problem', problem };
  }
}

/** Replies to a schedule's job. A run that was stopped before its call was sent can be repeated. */
export async function replyToSchedule(
  { run }: Pick<ClaimedRun, 'run'>,
  steps: Promise<RunReply>,
  services: RunServices,
): Promise<RunReply> {
  try {
    return await services.activeRuns.during(run.id, steps);
  } catch (error) {
    return failRun(run, error, services);
  }
}
