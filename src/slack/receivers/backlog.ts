import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import type { Logger } from 'pino';
import type { Actor } from '../../operations/define/access/actor.ts';

/** A queue of tasks that run after Slack's ack. */
export interface Backlog {
  /**
   * Returns whether a person's new requests should be rejected, because their tasks have waited too
   * long or too many tasks are queued.
   */
  isFull(actor: Actor): boolean;
  /** Queues a person's task and returns immediately. */
  add(actor: Actor, task: () => Promise<void>): void;
  /** Resolves when every task is done. */
  drained(): Promise<void>;
}

interface QueuedTask {
  readonly run: () => Promise<void>;
  readonly queuedMs: number;
}

/** If a person's oldest task has waited longer than this, their new requests are rejected. */
const maxWaitMs = 10_000;

/**
 * From this total number of queued tasks on, each person can have only one. This limits the memory
 * that tasks use.
 */
const maxWaiting = 5_000;

/**
 * Time budget of one turn of the event loop. If a turn took longer, no task starts in it, so that
 * running tasks can finish and deliveries don't wait behind new work.
 */
const turnBudgetMs = 5;

/**
 * A task starts at least this often while turns are long or acks are pending, for example because
 * the database is slow.
 */
const maxPauseMs = 50;

/**
 * If more deliveries than this have arrived per ms since the last task started, acks need all of the
 * time, and the next task waits. At 500 a second, most commands couldn't be answered anyway: a process
 * answers about 450.
 */
const floodDeliveriesPerMs = 0.5;

/**
 * After a task that started in a flood, the next one waits at least this long, because the deliveries
 * of a shorter time don't tell whether the flood has ended.
 */
const minFloodPauseMs = 10;

/**
 * People with more queued tasks than this cause a flood. In a flood, the tasks of the others start as
 * often as while acks are pending.
 */
const maxTasksOfOthers = 10;

/** A task starts at least this often in a flood, which must not stop the work of those who cause it. */
const maxFloodPauseMs = 1_000;

/** How often to check whether the pending acks have been sent. */
const recheckMs = 1;

interface BacklogOptions {
  /** Returns the number of deliveries that haven't been acknowledged yet. */
  readonly pendingAcks: () => number;
  /** Returns the number of deliveries since the start. */
  readonly deliveryCount: () => number;
  readonly log: Pick<Logger, 'error'>;
  readonly now?: () => number;
}

/**
 * Creates a queue in which acks have priority over tasks. In each turn of the event loop, one task
 * starts if no ack is pending, the turn was short and no flood of deliveries arrives. Workspaces take
 * turns, and so do the people of a workspace, so that a flood delays only the person who causes it.
 * The number of running tasks isn't limited, because most of them wait for the quota or for Slack.
 */
export function createBacklog({
  pendingAcks,
  deliveryCount,
  log,
  now = () => performance.now(),
}: BacklogOptions): Backlog {
  /** Queued tasks by workspace and person, each in the order of their next turns. */
  const waiting = new Map<string, Map<string, QueuedTask[]>>();
  let waitingCount = 0;
  const running = new Set<Promise<void>>();
  let isScheduled = false;
  let lastStartMs = Number.NEGATIVE_INFINITY;
  let turnStartMs = 0;
  let deliveriesAtLastStart = 0;
  let hasStartedInFlood = false;

  function schedule(): void {
    if (isScheduled || waitingCount === 0) return;
    isScheduled = true;
    turnStartMs = now();
    if (pendingAcks() > 0) setTimeout(takeTurn, recheckMs);
    else setImmediate(takeTurn);
  }

  function takeTurn(): void {
    isScheduled = false;
    const nowMs = now();
    const sinceStartMs = nowMs - lastStartMs;
    const isFlooded =
      deliveryCount() - deliveriesAtLastStart > sinceStartMs * floodDeliveriesPerMs ||
      (hasStartedInFlood && sinceStartMs < minFloodPauseMs);
    const hasTime = !isFlooded && pendingAcks() === 0 && nowMs - turnStartMs <= turnBudgetMs;
    if (hasTime || sinceStartMs >= maxPauseMs) {
      const ofOthersOnly = isFlooded && sinceStartMs < maxFloodPauseMs;
      const task = takeNext(ofOthersOnly ? maxTasksOfOthers : Number.POSITIVE_INFINITY);
      if (task) {
        hasStartedInFlood = isFlooded;
        start(task, nowMs);
      }
    }
    schedule();
  }

  /**
   * Removes the next task of the people with at most `maxTasks`. Its workspace and its person go to
   * the end of the line.
   */
  function takeNext(maxTasks: number): QueuedTask | undefined {
    for (const [teamId, people] of waiting) {
      for (const [userId, tasks] of people) {
        if (tasks.length > maxTasks) continue;
        waiting.delete(teamId);
        people.delete(userId);
        const task = tasks.shift();
        if (tasks.length > 0) people.set(userId, tasks);
        if (people.size > 0) waiting.set(teamId, people);
        waitingCount -= 1;
        return task;
      }
    }
    return undefined;
  }

  function start(task: QueuedTask, nowMs: number): void {
    lastStartMs = nowMs;
    deliveriesAtLastStart = deliveryCount();
    const run = task
      .run()
      .catch((error) => log.error({ err: error }, 'a task failed after its ack'))
      .finally(() => running.delete(run));
    running.add(run);
  }

  return {
    isFull({ teamId, userId }) {
      const oldest = waiting.get(teamId)?.get(userId)?.[0];
      return oldest !== undefined && (waitingCount >= maxWaiting || now() - oldest.queuedMs > maxWaitMs);
    },
    add({ teamId, userId }, run) {
      const people = getOrInsert(waiting, teamId, () => new Map<string, QueuedTask[]>());
      getOrInsert(people, userId, () => []).push({ run: AsyncLocalStorage.bind(run), queuedMs: now() });
      waitingCount += 1;
      schedule();
    },
    async drained() {
      while (waitingCount > 0 || running.size > 0) {
        if (running.size > 0) await Promise.race(running);
        // Waits one turn of the event loop, because queued tasks start in later turns.
        else await new Promise(setImmediate);
      }
    },
  };
}

function getOrInsert<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}
