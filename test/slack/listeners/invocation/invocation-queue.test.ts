import pino from 'pino';
import { expect, test } from 'vitest';
import type { Invocation } from '../../../../src/slack/invocation.ts';
import { createInvocationQueue } from '../../../../src/slack/listeners/invocation/invocation-queue.ts';

const alice = { teamId: 'T1', userId: 'U1' };
const bob = { teamId: 'T1', userId: 'U2' };

function createRequest(actor: typeof alice, requestKey: string): Invocation {
  return { actor, origin: {}, requestKey, reply: { sendToActor: async () => {} } } as unknown as Invocation;
}

test('a person can have 50 unfinished requests, and holds up nobody else', async () => {
  const queue = createInvocationQueue({
    memberGuard: async () => undefined,
    runs: { addAuditEntry: async () => {} },
    postOutcome: async () => {},
    log: pino({ level: 'silent' }),
    now: () => 0,
  });
  const answered = Promise.withResolvers<void>();
  const started: string[] = [];
  const work = async ({ requestKey }: Invocation) => {
    started.push(requestKey);
    await answered.promise;
  };
  for (let count = 1; count <= 50; count += 1) {
    expect(queue.isFull(alice)).toBe(false);
    queue.enqueueOnce(createRequest(alice, String(count)), work);
  }
  expect(started).toEqual([]);
  expect(queue.isFull(alice)).toBe(true);
  expect(queue.isFull(bob)).toBe(false);
  queue.enqueueOnce(createRequest(bob, 'bob'), async ({ requestKey }) => void started.push(requestKey));
  await expect.poll(() => started).toHaveLength(51);
  answered.resolve();
  await queue.drained();
  expect(queue.isFull(alice)).toBe(false);
});

test('a stop tells the people of unfinished requests to try again, unless a run tells them', async () => {
  const told: string[] = [];
  const queue = createInvocationQueue({
    memberGuard: async () => undefined,
    runs: { addAuditEntry: async () => {} },
    postOutcome: async (key, { channel }) => void told.push(`${key} ${channel}`),
    log: pino({ level: 'silent' }),
    now: () => 0,
  });
  const [started, never] = [Promise.withResolvers<void>(), new Promise<void>(() => {})];
  queue.enqueueOnce(createRequest(alice, 'waits for Slack'), () => never);
  queue.enqueueOnce(createRequest(bob, 'has a run'), ({ onTaken }) => {
    onTaken?.();
    started.resolve();
    return never;
  });
  await started.promise;
  await queue.interrupt();
  expect(told).toEqual(['interrupted:waits for Slack U1']);
});
