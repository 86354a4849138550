import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunServices } from '../../../src/runs/pipeline/run-services.ts';
import { keepAnswer } from '../../../src/runs/pipeline/sending/keep-answer.ts';
import type { AnsweredRun } from '../../../src/runs/pipeline/sending/send.ts';
import { end, type Step } from '../../../src/runs/pipeline/step.ts';
import { createAnswerSpool } from '../../../src/runs/recovery/answer-spool.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { createRun } from '../create-run.ts';
import { testVault } from '../test-vault.ts';

let dir: string;
beforeEach(() => {
  dir = makeScratchDirectory('answers');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dir, { recursive: true });
});

const hasFile = () => existsSync(join(dir, 'run-1.answer'));

/** Records an answer with the given step. */
function record(step: Step<AnsweredRun, never>) {
  const log = { warn: () => undefined, error: () => expect.unreachable('an answer was lost') };
  const services = { answerSpool: createAnswerSpool({ dir, vault: testVault, log }) } as RunServices;
  return keepAnswer(step)({ run: createRun(), data: {} } as AnsweredRun, services);
}

const done = end({ kind: 'started' });

test('an answer whose recording fails is in a file before the failure is known', async () => {
  await expect(record(() => Promise.reject(new Error('the database is away')))).rejects.toThrow('away');
  expect(hasFile()).toBe(true);
});

test('an answer is in a file only while its recording takes longer than three seconds', async () => {
  expect(await record(async () => done)).toBe(done);
  expect(hasFile()).toBe(false);
  const slow = Promise.withResolvers<typeof done>();
  const recording = record(() => slow.promise);
  vi.advanceTimersByTime(2_999);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  vi.useRealTimers();
  await expect.poll(hasFile).toBe(true);
  slow.resolve(done);
  expect(await recording).toBe(done);
  expect(hasFile()).toBe(false);
});

test('an answer that is recorded in time leaves no timer behind', async () => {
  await record(async () => done);
  expect(vi.getTimerCount()).toBe(0);
});
