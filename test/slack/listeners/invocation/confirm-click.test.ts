import { expect, test } from 'vitest';
import { hostingOperations } from '../../../../src/operations/hosting-operations.ts';
import { expiredProblem } from '../../../../src/runs/problem.ts';
import type { Runner } from '../../../../src/runs/runner.ts';
import type { Message } from '../../../../src/slack/blocks/message.ts';
import { createDispatch } from '../../../../src/slack/listeners/invocation/dispatch.ts';
import { settle } from '../../../jobs/jobs-fixture.ts';

test('a late notice about the quota does not replace the reply to a click', async () => {
  const shown: string[] = [];
  const isNoticeSent = Promise.withResolvers<void>();
  const runner: Pick<Runner, 'confirm' | 'deliver'> = {
    async confirm({ onTaken, onQueued }) {
      onTaken?.();
      onQueued?.(20_000, 'quota', 'run');
      await settle();
      return { kind: 'problem', runId: 'run', problem: expiredProblem() } as never;
    },
    deliver: async (_, send) => void (await send()),
  };
  const dispatch = createDispatch({
    catalogue: hostingOperations(),
    runner: runner as Runner,
    workingNoticeMs: 60_000,
    now: Date.now,
  } as never);
  const reply = {
    async replace({ text }: Message) {
      if (text.includes('Queued')) await isNoticeSent.promise;
      shown.push(text);
    },
  };
  const actor = { teamId: 'T0ACME', userId: 'U0ALICE' };
  const confirmed = dispatch.confirm({ value: 'token', reply, actor, origin: {} } as never);
  await settle();
  isNoticeSent.resolve();
  await confirmed;
  await settle();
  expect(shown).toEqual([expect.stringContaining('Queued'), expect.stringContaining('expired')]);
});
