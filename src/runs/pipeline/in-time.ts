import { isStopped } from '../../errors.ts';
import { withTimeout } from '../../with-timeout.ts';
import type { UnfinishedWork } from '../recovery/hand-over.ts';
import type { Run } from '../run.ts';
import type { RunReply } from '../run-reply.ts';
import { end, type Next, type Step } from './path.ts';
import type { ClaimedRun, DecidedRun } from './run-context.ts';
import { failRun, handOver, toReply } from './run-ends.ts';
import type { RunServices } from './run-services.ts';

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

/** Hands the click on an approval card over if this process stops. */
export function unlessStopped(steps: Step<DecidedRun, never>): Step<DecidedRun, never> {
  return async (decided, services) => {
    try {
      return await services.activeRuns.track(decided.run.id, steps(decided, services));
    } catch (error) {
      if (!isStopped(error)) throw error;
      return end(await handOver(decided.run, { kind: 'approve', ...decided.click }, services));
    }
  };
}
