import { isStopped } from '../../errors.ts';
import { withTimeout } from '../../with-timeout.ts';
import type { UnfinishedWork } from '../recovery/hand-over.ts';
import type { Run } from '../run.ts';
import type { RunReply } from '../run-reply.ts';
import { end, type Next, type Step } from './path.ts';
import type { ClaimedRun, DecidedRun } from './run-context.ts';
import { failRun, handOver, logProblem, toReply } from './run-ends.ts';
import type { RunServices } from './run-services.ts';

/** How long after a person's last command or click a call can be sent. A reboot must not happen hours later. */
const sendDeadlineMs = 5 * 60_000;

/** Returns when a person acted: at `arrivedMs`, or now if that isn't known. The future doesn't count. */
export function toActTime(arrivedMs: number | undefined, { now }: Pick<RunServices, 'now'>): number {
  return Math.min(arrivedMs ?? Number.POSITIVE_INFINITY, now());
}

/** Returns until when a call can be sent that a person requested, confirmed or approved at `actedMs`. */
export function toSendDeadline(actedMs: number): number {
  return actedMs + sendDeadlineMs;
}

/**
 * Makes sure that a person gets a reply before the run expires, also if a step fails. If this process
 * stops, another one continues with what `toUnfinished` returns.
 */
export function inTime<Context extends Pick<ClaimedRun, 'run'> & Partial<Pick<ClaimedRun, 'localChange'>>>(
  steps: Step<Context, never>,
  toUnfinished: (context: Context) => UnfinishedWork,
): Step<Context, never> {
  return async (context, services) =>
    end(
      await replyBeforeExpiry(
        context.run,
        steps(context, services),
        toUnfinished(context),
        services,
        () => context.localChange?.hasBegun ?? false,
      ),
    );
}

/**
 * Replies with the result of `work`, or with a problem if it throws or the run expires first.
 * `isChanging` says whether the work has begun to change Rackhand's own data. If this process stops
 * before, hands the work over.
 */
async function replyBeforeExpiry(
  run: Run,
  work: Promise<Next<never>>,
  unfinished: UnfinishedWork,
  services: RunServices,
  isChanging = () => false,
): Promise<RunReply> {
  const { activeRuns, now } = services;
  const timeoutMs = (run.expiresMs ?? now()) - now();
  try {
    return toReply(await withTimeout(activeRuns.track(run.id, work), timeoutMs));
  } catch (error) {
    if (isStopped(error) && !isChanging()) return handOver(run, unfinished, services);
    const failed = await failRun(run, error, services, { isChanging: isChanging() });
    if (failed.kind !== 'duplicate') return failed;
    // The work has settled the run just as the time was up, so its reply counts.
    return work.then(toReply, () => failed);
  }
}

/**
 * Makes sure that the person who clicked on an approval card gets a reply, also if a step fails. The
 * run then still awaits a decision. If this process stops, another one continues with the click.
 */
export function withReply(steps: Step<DecidedRun, never>): Step<DecidedRun, never> {
  return async (decided, services) => {
    const { run, click } = decided;
    try {
      return await services.activeRuns.track(run.id, steps(decided, services));
    } catch (error) {
      const { showChecking: _, ...stored } = click;
      if (isStopped(error)) return end(await handOver(run, { kind: 'approve', ...stored }, services));
      const reader = click.approver;
      const problem = await logProblem(run, error, services, { isChanging: false, reader });
      return end({ kind: 'problem', problem });
    }
  };
}
