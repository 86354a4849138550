import type { Job, JobContext, JobResult } from '../jobs/job-kind.ts';
import { minuteMs } from '../time/units.ts';
import type { Message } from './message.ts';
import { currentBlocks, firstEnd, type RateBlocks, toLimited } from './rate-blocks.ts';
import { createSendMessage, type SendDependencies } from './send-message.ts';

/** Maximum number of messages sent at once, per workspace. */
const maxInFlight = 8;

/** How long to wait for calls in progress when stopping. The next process finds out how any unfinished calls ended. */
const stopGraceMs = 2_000;

/** How often to look for messages from other processes while waiting for Slack. */
const lookAgainMs = 1_000;

/** Maximum pause before looking for messages again, because a wrong clock may have set a due time. */
export const longestPauseMs = 5 * minuteMs;

interface WorkspaceSenderDependencies extends SendDependencies {
  /** Resolves when a message is put in this process. */
  readonly nextPut: () => Promise<void>;
}

interface Call {
  readonly message: Message;
  readonly ended: Promise<void>;
}

/** Sends a workspace's messages until none can be sent now. Returns when to continue. */
export async function sendWorkspace(
  { teamId, payload, token }: Job<RateBlocks>,
  { signal }: JobContext,
  dependencies: WorkspaceSenderDependencies,
): Promise<JobResult<RateBlocks>> {
  const { store, clock, nextPut } = dependencies;
  const blocks = { editsUntilMs: payload.editsUntilMs, posts: { ...payload.posts } };
  const calls = new Map<string, Call>();
  const send = createSendMessage(dependencies, ({ ref, queueChannel }, untilMs) => {
    if (ref) blocks.editsUntilMs = untilMs;
    else blocks.posts[queueChannel] = untilMs;
  });
  const stopped = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );

  let lookedMs = clock.now();
  async function startDue(): Promise<void> {
    lookedMs = clock.now();
    const due = await store.listDue(teamId, lookedMs, toLimited(blocks, lookedMs), {
      except: [...calls.keys()],
      limit: maxInFlight - calls.size,
    });
    for (const message of due) {
      const ended = send(message, { token, signal }).finally(() => calls.delete(message.key));
      calls.set(message.key, { message, ended });
    }
  }

  async function untilSomethingHappens(put: Promise<void>): Promise<void> {
    const lookAgain = wait(lookAgainMs);
    const canStartMore = calls.size < maxInFlight ? [put, lookAgain.ended] : [];
    await Promise.race([stopped, ...canStartMore, ...[...calls.values()].map(({ ended }) => ended)]);
    lookAgain.cancel();
  }

  while (!signal.aborted) {
    const put = nextPut();
    await startDue();
    if (calls.size === 0) break;
    await untilSomethingHappens(put);
  }
  if (signal.aborted) {
    await leaveToNext([...calls.values()], dependencies);
    throw signal.reason;
  }
  // The time of the last look, so messages that have become due since then are sent at once.
  const nowMs = lookedMs;
  const { nextMs, isAnyWaiting } = await store.findNextDue(teamId, nowMs);
  if (nextMs === null && !isAnyWaiting) return { kind: 'done' };
  // Messages that are already due are waiting for a block to end.
  const blockEndMs = isAnyWaiting ? (firstEnd(blocks, nowMs) ?? nowMs) : Number.POSITIVE_INFINITY;
  return {
    kind: 'repeat',
    atMs: Math.min(nextMs ?? Number.POSITIVE_INFINITY, blockEndMs, nowMs + longestPauseMs),
    payload: currentBlocks(blocks, nowMs),
  };
}

/**
 * Waits briefly for calls in progress before the next process takes over. Records unfinished edits,
 * because they could replace later ones.
 */
async function leaveToNext(
  calls: readonly Call[],
  { store, clock }: WorkspaceSenderDependencies,
): Promise<void> {
  const unfinished = new Set(calls);
  const grace = wait(stopGraceMs);
  await Promise.race([
    grace.ended,
    Promise.all(calls.map((call) => call.ended.then(() => unfinished.delete(call)))),
  ]);
  grace.cancel();
  for (const { message } of unfinished) if (message.ref) await store.markEditing(message, clock.now());
}

/** Waits without keeping the process alive. */
function wait(ms: number) {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms).unref();
  return { ended, cancel: () => clearTimeout(timer) };
}
