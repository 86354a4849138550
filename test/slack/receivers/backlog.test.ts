import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Actor } from '../../../src/operations/define/access/actor.ts';
import { createBacklog } from '../../../src/slack/receivers/backlog.ts';

const actor = { teamId: 'T1', userId: 'U1' };
const colleague = { teamId: 'T1', userId: 'U2' };
const other = { teamId: 'T2', userId: 'U3' };

/** Creates a backlog with a clock that a test sets, and tasks that record when they start. */
function createTestBacklog() {
  let nowMs = 0;
  let pendingAcks = 0;
  let deliveryCount = 0;
  const errors: unknown[] = [];
  const started: string[] = [];
  const backlog = createBacklog({
    pendingAcks: () => pendingAcks,
    deliveryCount: () => deliveryCount,
    log: { error: (entry: unknown) => errors.push(entry) },
    now: () => nowMs,
  });
  const addFor = (person: Actor, ...names: string[]) => {
    for (const name of names) backlog.add(person, async () => void started.push(name));
  };
  const add = (...names: string[]) => addFor(actor, ...names);
  const advance = (ms: number) => {
    nowMs += ms;
  };
  const setPendingAcks = (count: number) => {
    pendingAcks = count;
  };
  const deliver = () => {
    deliveryCount += 1;
  };
  return { backlog, add, addFor, started, errors, advance, setPendingAcks, deliver };
}

afterEach(() => void vi.useRealTimers());

describe('queued tasks', () => {
  test('start one in each turn of the event loop, in order', async () => {
    const { add, started } = createTestBacklog();
    add('first', 'second', 'third');
    expect(started).toEqual([]);
    await turn();
    expect(started).toEqual(['first']);
    await turn();
    await turn();
    expect(started).toEqual(['first', 'second', 'third']);
  });

  test('wait while acks are pending, but one starts every 50 ms', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const { add, started, advance, setPendingAcks } = createTestBacklog();
    // The turn in which the first starts schedules the second one's, and then acks are pending.
    add('first', 'second', 'third');
    await turn();
    setPendingAcks(1);
    await turn();
    advance(49);
    vi.advanceTimersByTime(20);
    expect(started).toEqual(['first']);
    advance(1);
    vi.advanceTimersByTime(1);
    expect(started).toEqual(['first', 'second']);
    setPendingAcks(0);
    vi.advanceTimersByTime(1);
    expect(started).toEqual(['first', 'second', 'third']);
  });

  test('fill the backlog once the oldest has waited for more than 10 s', async () => {
    const { backlog, add, advance } = createTestBacklog();
    expect(backlog.isFull(actor)).toBe(false);
    add('first');
    advance(10_000);
    expect(backlog.isFull(actor)).toBe(false);
    advance(1);
    expect(backlog.isFull(actor)).toBe(true);
    await turn();
    expect(backlog.isFull(actor)).toBe(false);
  });

  test('are never more than 5,000, except for people who have none', () => {
    const { backlog, add, addFor } = createTestBacklog();
    add(...Array.from({ length: 4_999 }, String));
    expect(backlog.isFull(actor)).toBe(false);
    add('last');
    expect(backlog.isFull(actor)).toBe(true);
    expect(backlog.isFull(colleague)).toBe(false);
    addFor(colleague, 'one');
    expect(backlog.isFull(colleague)).toBe(true);
  });

  test('start in turns: of workspaces, and of the people in a workspace', async () => {
    const { backlog, add, addFor, started } = createTestBacklog();
    add('a1', 'a2', 'a3', 'a4');
    addFor(colleague, 'b1', 'b2');
    addFor(other, 'c1', 'c2', 'c3');
    await backlog.drained();
    expect(started).toEqual(['a1', 'c1', 'b1', 'c2', 'a2', 'c3', 'b2', 'a3', 'a4']);
  });

  test('that fail are logged, and the next one starts', async () => {
    const { backlog, add, started, errors } = createTestBacklog();
    backlog.add(actor, () => Promise.reject(new Error('no')));
    add('next');
    await backlog.drained();
    expect(errors).toHaveLength(1);
    expect(started).toEqual(['next']);
  });
});
