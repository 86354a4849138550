import type { FindResult, Message, SendResult, Transport } from '../../../src/messages/message.ts';
import type { Gate } from '../machine/shared-database.ts';
import type { World } from '../world.ts';

/** A message that people see, and what it says. */
export interface SlackPost {
  readonly ts: string;
  readonly channel: string;
  readonly key: string;
  readonly kind: string;
  text: string;
  readonly mayRepeat: boolean;
  isDeleted: boolean;
  readonly postedMs: number;
  editedMs: number;
}

/** What a call does. A lost answer is one that the process doesn't get, although the call had its effect. */
const faults = ['limited', 'slow', 'lost', 'dropped', 'away'] as const;

/** How long a process waits for an answer. */
const timeoutMs = 10_000;

/** Slack's limits: five messages in five seconds in a channel, and 50 edits a minute. */
const limits = {
  post: { count: 5, windowMs: 5_000 },
  edit: { count: 50, windowMs: 60_000 },
} as const;

/** Renders what a message says. Returns undefined if there is nothing to show. */
export type RenderText = (message: Message) => Promise<string | undefined>;

export type SimulatedSlack = ReturnType<typeof createSimulatedSlack>;

/** Slack, as far as Rackhand's messages are concerned. */
export function createSimulatedSlack(world: World) {
  const { time, random, scenario } = world;
  const posts: SlackPost[] = [];
  const calls = new Map<string, number[]>();
  const archived = new Set<string>();
  const deactivated = new Set<string>();
  let isRemoved = false;
  let onShown = (_text: string): void => {};
  let count = 0;

  /** Counts a call. Returns how long to wait if there were too many. */
  function limit(key: string, { count: most, windowMs }: { count: number; windowMs: number }): number {
    const recent = (calls.get(key) ?? []).filter((atMs) => atMs > time.now() - windowMs);
    calls.set(key, recent);
    const blocker = recent.at(-most);
    if (blocker !== undefined) return Math.ceil((blocker + windowMs - time.now()) / 1_000) * 1_000;
    recent.push(time.now());
    return 0;
  }

  function findProblem(
    channel: string,
  ): Exclude<SendResult, { kind: 'sent' | 'empty' | 'gone' }> | undefined {
    if (isRemoved) return { kind: 'notInstalled' };
    if (archived.has(channel)) return { kind: 'unreachable', reason: 'is_archived' };
    if (deactivated.has(channel)) return { kind: 'unreachable', reason: 'user_disabled' };
    return undefined;
  }

  function recordShown(key: string, channel: string, text: string): void {
    world.record({ kind: 'shown', key, channel, text });
    onShown(text);
    const [, runId] = /^run(?:-reply)?:(.+)$/.exec(key) ?? [];
    const [status = ''] = text.split(':');
    if (runId !== undefined) world.record({ kind: 'told', runId, status });
  }

  /** Makes a call that travels on even if its process crashes or is frozen. */
  async function call<Result>(gate: Gate, act: () => Result | SendResult): Promise<Result | SendResult> {
    await gate('before a post');
    const fault =
      world.isTroubled && random.chance(scenario.slackFaultRate) ? random.pick(faults) : undefined;
    if (fault === 'away') return { kind: 'away' };
    const answer = time.outside(async () => {
      await time.sleep(fault === 'slow' ? random.between(1_000, 11_000) : random.between(1, 300));
      if (fault === 'dropped') throw new Error('the connection was lost');
      if (fault === 'limited') return { kind: 'limited', retryInMs: random.between(1, 30) * 1_000 } as const;
      const result = act();
      await time.sleep(random.between(1, 300));
      if (fault === 'lost') throw new Error('the answer was lost');
      return result;
    });
    answer.catch(() => {});
    try {
      return await Promise.race([
        answer,
        time.sleep(timeoutMs).then(() => Promise.reject(new Error('timeout'))),
      ]);
    } finally {
      await gate('after a post');
    }
  }

  const connect = (gate: Gate, render: RenderText): Transport => ({
    async post(message) {
      const text = await render(message);
      if (text === undefined) return { kind: 'empty' };
      const { channel, key, kind, mayRepeat } = message;
      const result = await call<SendResult>(gate, () => {
        const problem = findProblem(channel);
        if (problem) return problem;
        const waitMs = limit(`post ${channel}`, limits.post);
        if (waitMs > 0) return { kind: 'limited', retryInMs: waitMs };
        count += 1;
        const ts = String(count);
        const postedMs = time.now();
        posts.push({
          ts,
          channel,
          key,
          kind,
          text,
          mayRepeat,
          isDeleted: false,
          postedMs,
          editedMs: postedMs,
        });
        recordShown(key, channel, text);
        return { kind: 'sent', ref: { channel, ts } };
      });
      if (result.kind === 'gone') throw new Error('a post is not an edit');
      return result;
    },

    async edit(message, ref) {
      const text = await render(message);
      if (text === undefined) return { kind: 'empty' };
      return call<SendResult>(gate, () => {
        const problem = findProblem(ref.channel);
        if (problem) return problem;
        const waitMs = limit('edit', limits.edit);
        if (waitMs > 0) return { kind: 'limited', retryInMs: waitMs };
        const post = posts.find(({ ts, isDeleted }) => ts === ref.ts && !isDeleted);
        if (!post) return { kind: 'gone', reason: 'message_not_found' };
        post.text = text;
        post.editedMs = time.now();
        recordShown(message.key, ref.channel, text);
        return { kind: 'sent', ref };
      });
    },

    remove: (_, ref) =>
      call<SendResult>(gate, () => {
        const post = posts.find(({ ts }) => ts === ref.ts);
        if (!post || post.isDeleted) return { kind: 'gone', reason: 'message_not_found' };
        post.isDeleted = true;
        return { kind: 'sent', ref: null };
      }),

    async find({ key, channel }, postingMs) {
      await gate('before looking for a post');
      if (!scenario.canSearchSlack) return { kind: 'unreadable' };
      const sinceMs = postingMs - (time.wallNow() - time.now()) - 60_000;
      const found = posts.find(
        (post) => post.key === key && post.channel === channel && !post.isDeleted && post.postedMs >= sinceMs,
      );
      const result: FindResult = found
        ? { kind: 'found', ref: { channel: found.channel, ts: found.ts } }
        : { kind: 'notFound' };
      return result;
    },
  });

  return {
    posts: posts as readonly SlackPost[],
    connect,
    /** Calls back with each text that people see. */
    watch(see: (text: string) => void) {
      onShown = see;
    },
    archive: (channel: string) => void archived.add(channel),
    deactivate: (userId: string) => void deactivated.add(userId),
    removeApp() {
      isRemoved = true;
    },
    isArchived: (channel: string) => archived.has(channel),
    isDeactivated: (userId: string) => deactivated.has(userId),
    isRemoved: () => isRemoved,
  };
}
