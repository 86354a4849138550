import type { Job, JobContext, JobResult } from '../jobs/job-kind.ts';
import { minuteMs } from '../time/units.ts';
import type { Message } from './message.ts';
import { currentBlocks, firstEnd, type RateBlocks, toLimited } from './rate-blocks.ts';
import { createSendMessage, type SendDependencies } from './send-message.ts';

/** How many messages of a workspace are sent at the same time. */
const maxInFlight = 8;

/** How long a stop waits for calls that were made. The next process finds out what became of them. */
const stopGraceMs = 2_000;

/** How often a process that waits for Slack looks for messages that other processes have put. */
const lookAgainMs = 1_000;

/** The sender looks again at least this often, because a wrong clock may have chosen a time. */
export const longestPauseMs = 5 * minuteMs;

interface WorkspaceSenderDependencies extends SendDependencies {
  /** Resolves when a message is put in this process. */
  readonly nextPut: () => Promise<void>;
}

interface Call {
  readonly message: Message;
  readonly ended: Promise<void>;
}

/** Sends the messages of a workspace until none can be sent now. Returns when to continue. */
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
  // What has become due since then is sent at once.
  const nowMs = lookedMs;
  const { nextMs, isAnyWaiting } = await store.findNextDue(teamId, nowMs);
  if (nextMs === null && !isAnyWaiting) return { kind: 'done' };
  // What is due already waits for the end of a block.
  const blockEndMs = isAnyWaiting ? (firstEnd(blocks, nowMs) ?? nowMs) : Number.POSITIVE_INFINITY;
  return {
    kind: 'repeat',
    atMs: Math.min(nextMs ?? Number.POSITIVE_INFINITY, blockEndMs, nowMs + longestPauseMs),
    payload: currentBlocks(blocks, nowMs),
  };
}

/** Waits a moment for calls that were made. An edit that is still under way could replace a later one. */
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
