import type { Logger } from 'pino';
import { z } from 'zod';
import type { Database } from '../db/engines/database.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { dayMs, hourMs, minuteMs } from '../time/units.ts';
import type { Destination, Message, MessageState, Transport } from './message.ts';
import { createMessageStore, type MessageStore, senderJobName } from './message-store.ts';
import { noBlocks, type RateBlocks, rateBlocks } from './rate-blocks.ts';
import { removalKind } from './send-message.ts';
import { longestPauseMs, sendWorkspace } from './workspace-sender.ts';

/** How long a sent message stays editable. */
const keptMs = 30 * dayMs;

/** How long a message can be due before it counts as late. */
const lateMs = 5 * minuteMs;

/** How long `/readyz` shows that a message was given up. */
const problemShownMs = dayMs;

/** Reasons for giving up that can pass without a change in the workspace. */
const passingReasons: ReadonlySet<string> = new Set(['not_installed', 'slack_away']);

/** Returns whether a reason for giving up can pass by itself. */
export const isPassingReason = (reason: string) => passingReasons.has(reason);

/** Called in the transaction that first gives up on a message. Returns whether it notified the creator. */
export type OnGivenUp = (message: Message, reason: string, transaction: Database) => Promise<boolean>;

/** Called in the transaction that moves a message to a fallback. */
export type OnMoved = (message: Message, channel: string, transaction: Database) => Promise<void>;

/** Dependencies that are created after the outbox. */
export interface OutboxConnections {
  readonly transport: Transport;
  readonly listAdmins: (teamId: string) => Promise<readonly string[]>;
}

interface OutboxDependencies {
  readonly db: Database;
  readonly jobs: Pick<Jobs, 'define' | 'definePeriodic' | 'clock'>;
  /** Called with the kind of each message that the outbox gives up on. */
  readonly onGivenUp?: (kind: string) => void;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** Delivers messages to Slack, each only once and in its newest state. */
export interface Outbox extends Pick<MessageStore, 'find' | 'findConversation'> {
  /** Stores a message's content and, if it's new, its destination. After a transaction, call `wake`. */
  put(key: string, to: Destination, state: MessageState, transaction?: Database): Promise<void>;
  /** Renders and sends a message again. Returns false if the message doesn't exist. */
  refresh(teamId: string, key: string): Promise<boolean>;
  /** Renders and sends again all messages whose key starts with `keyPrefix`. */
  refreshAll(teamId: string, keyPrefix: string, transaction: Database): Promise<void>;
  /** Runs a transaction that can put messages, and then sends those messages. */
  transact<Result>(work: (transaction: Database) => Promise<Result>): Promise<Result>;
  /** Sends messages that were put in a transaction. */
  wake(): void;
  /** Sets the handler for messages of a kind that can't be delivered. */
  onGivenUp(kind: string, handle: OnGivenUp): void;
  /** Sets the handler for messages of a kind that are moved to a fallback. */
  onMoved(kind: string, handle: OnMoved): void;
  /** Connects the outbox to Slack. Called once, before the jobs start. */
  connect(connections: OutboxConnections): void;
  /** Returns how many messages are late, and how many were given up in the last day. */
  count(): ReturnType<MessageStore['count']>;
}

/** Message kind for notices about undeliverable messages. */
export const undeliverableKind = 'undeliverable';

export const undeliverableContent = z.object({
  about: z.string(),
  channel: z.string(),
  reason: z.string(),
  /** Whether the recipient gets the notice as an admin. */
  isForAdmin: z.boolean(),
});

export function createOutbox({ db, jobs, onGivenUp: countGivenUp, log }: OutboxDependencies): Outbox {
  const { clock } = jobs;
  const store = createMessageStore(db);
  const handlers = new Map<string, OnGivenUp>();
  const moveHandlers = new Map<string, OnMoved>();
  let connections: OutboxConnections | undefined;
  let nextPut = Promise.withResolvers<void>();

  const ensureSender = (teamId: string, transaction: Database, dueMs = 0) => {
    const nowMs = clock.now();
    const job = { id: teamId, teamId, payload: noBlocks };
    return queue.ensure(
      { ...job, dueMs: Math.min(Math.max(dueMs, nowMs), nowMs + longestPauseMs) },
      transaction,
    );
  };

  async function put(key: string, to: Destination, state: MessageState, transaction: Database) {
    await store.put(key, to, state, clock.now(), transaction);
    await ensureSender(to.teamId, transaction, state.dueMs);
  }

  function wake(): void {
    queue.wake();
    nextPut.resolve();
    nextPut = Promise.withResolvers();
  }

  async function transact<Result>(work: (transaction: Database) => Promise<Result>): Promise<Result> {
    const result = await db.transaction().execute(work);
    wake();
    return result;
  }

  const showAgain = (message: Pick<Message, 'teamId' | 'key'>, dueMs: number) =>
    transact(async (transaction) => {
      const isKept = await store.showAgain(message, dueMs, transaction);
      if (isKept) await ensureSender(message.teamId, transaction, dueMs);
      return isKept;
    });

  /** Gives up on a message. Notifies its creator and an admin, but only once. */
  async function giveUp(message: Message, token: string, reason: string): Promise<void> {
    const { teamId, key, kind, about, creator, channel } = message;
    const isTold = reason !== 'not_installed' && kind !== undeliverableKind && message.givenUpMs === null;
    const admins = isTold ? ((await connections?.listAdmins(teamId)) ?? []) : [];
    await transact(async (transaction) => {
      if (!(await store.markGivenUp(message, token, reason, clock.now(), transaction))) return;
      // If the message was already posted, only an edit is given up, and the thread still exists.
      if (message.ref === null) await store.dropReplies(message, transaction);
      countGivenUp?.(kind);
      log.error({ teamId, message: key, kind, reason }, "a message couldn't be delivered");
      const isCreatorTold = await handlers.get(kind)?.(message, reason, transaction);
      const tell = (who: string, [person, ...fallbacks]: readonly string[]) => {
        if (!isTold || person === undefined) return undefined;
        const content = { about, channel: message.movedFrom ?? channel, reason, isForAdmin: who === 'admin' };
        const to = { teamId, channel: person, fallbacks };
        return put(
          `${undeliverableKind}:${key}:${who}`,
          to,
          { kind: undeliverableKind, content, about },
          transaction,
        );
      };
      await tell('creator', isCreatorTold || creator === null || creator === channel ? [] : [creator]);
      await tell(
        'admin',
        admins.filter((userId) => userId !== creator && userId !== channel),
      );
    });
  }

  const move = (message: Message, token: string, channel: string) =>
    transact(async (transaction) => {
      const place = { channel, fallbacks: message.fallbacks.slice(1) };
      if (await store.postAnew(message, token, clock.now(), place, transaction))
        await moveHandlers.get(message.kind)?.(message, channel, transaction);
    });

  const queue = jobs.define<RateBlocks>({
    name: senderJobName,
    payload: rateBlocks,
    retry: { firstMs: 1_000, maxMs: 30_000 },
    concurrency: 20,
    maxWaitMs: 2 * longestPauseMs,
    listMissing: async () =>
      (await store.listWithoutJob()).map((teamId) => ({ id: teamId, teamId, payload: noBlocks })),
    async handle(job, context) {
      if (!connections) throw new Error('the outbox is not connected to Slack');
      return sendWorkspace(job, context, {
        ...connections,
        store,
        giveUp,
        move,
        showAgain: async (message) => void (await showAgain(message, clock.now())),
        putRemoval: ({ teamId, key, channel, about }, ref) =>
          transact((transaction) =>
            put(
              `${removalKind}:${key}:${ref.ts}`,
              { teamId, channel, ref },
              { kind: removalKind, content: { key }, about },
              transaction,
            ),
          ),
        nextPut: () => nextPut.promise,
        clock,
        log,
      });
    },
  });
  jobs.definePeriodic({
    name: 'message-purge',
    intervalMs: hourMs,
    run: () => store.deleteBefore(clock.now() - keptMs),
  });

  return {
    put: (key, to, state, transaction) =>
      transaction ? put(key, to, state, transaction) : transact((own) => put(key, to, state, own)),
    refresh: (teamId, key) => showAgain({ teamId, key }, clock.now()),
    async refreshAll(teamId, keyPrefix, transaction) {
      if (await store.showAllAgain(teamId, keyPrefix, clock.now(), transaction))
        await ensureSender(teamId, transaction);
    },
    transact,
    wake,
    find: store.find,
    findConversation: store.findConversation,
    onGivenUp: (kind, handle) => void handlers.set(kind, handle),
    onMoved: (kind, handle) => void moveHandlers.set(kind, handle),
    connect(made) {
      connections = made;
    },
    count: () => store.count(clock.now() - lateMs, clock.now() - problemShownMs),
  };
}
