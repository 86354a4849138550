import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { CreatorStanding } from '../../src/auth/creator-standing.ts';
import { openDatabase } from '../../src/db/engines/database.ts';
import type { JobContext } from '../../src/jobs/job-kind.ts';
import type { Outcome } from '../../src/operations/define/outcome.ts';
import { createScheduleJob } from '../../src/schedules/schedule-job.ts';
import { createScheduleStore } from '../../src/schedules/schedule-store.ts';
import { claimScheduleJob } from './claim-schedule-job.ts';

const minuteMs = 60_000;
const dueMs = minuteMs;
const teamId = 'T0ACME';

/** Creates a schedule that is due, and processes that work on it. */
async function createSchedule() {
  const { db, close } = await openDatabase('sqlite::memory:');
  onTestFinished(close);
  const store = createScheduleStore(db);
  const act = { operation: 'reboot', input: {}, vps: 'VPS-10001', title: 'Reboot', command: '', when: '' };
  const timing = { kind: 'once', atMs: dueMs, zone: 'UTC' } as const;
  const plan = { name: 'nightly', channel: 'C0OPS', act, timing, keep: null, announceMs: 0 };
  const schedule = await store.add({ teamId, userId: 'U0ALICE' }, plan, 'active', 0);
  const { id } = schedule;
  const posted: string[] = [];

  /** Lets a process handle the job. It ends before it posts a message that contains `endsAt`. */
  async function handle(nowMs: number, { endsAt, standing = 'allowed' }: ProcessOptions = {}) {
    const ended = new Error('the process has ended');
    async function postOutcome(_key: string, _to: object, { title, notes = [] }: Outcome) {
      const text = [title, ...notes].join(' ');
      if (endsAt !== undefined && text.includes(endsAt)) throw ended;
      posted.push(text);
    }
    const job = createScheduleJob({
      store,
      executeOccurrence: async () => {
        const result = { dueMs, isOk: true, text: 'VPS-10001 is running now.' };
        return { kind: 'done', result, outcome: { title: 'Result' } };
      },
      postOutcome,
      transact: (work) => db.transaction().execute(work),
      findCreatorStanding: async () => standing,
      runs: { addAuditEntry: async () => {} },
      listAdmins: async () => [],
      clock: { now: () => nowMs },
    });
    const context = {
      clock: { now: () => nowMs },
      signal: new AbortController().signal,
    } as unknown as JobContext;
    const token = randomUUID();
    await claimScheduleJob(db, id, token);
    const item = { id, teamId, payload: {}, token } as unknown as Parameters<typeof job.handle>[0];
    await job.handle(item, context).catch((error: unknown) => {
      if (error !== ended) throw error;
    });
  }

  return { handle, posted, find: () => store.get(id) };
}

interface ProcessOptions {
  readonly endsAt?: string;
  readonly standing?: CreatorStanding;
}

test('a process that ends before it has posted a result does not lose the message', async () => {
  const { handle, posted, find } = await createSchedule();
  await handle(dueMs);
  await handle(dueMs, { endsAt: 'Result' });
  expect(posted).not.toContain('Result');
  await handle(dueMs + minuteMs);
  expect(posted).toContain('Result');
  expect(await find()).toMatchObject({
    state: { kind: 'ended' },
    occurrence: null,
    lastResult: { isOk: true },
  });
});

test('a process that ends before it has reported a missed time does not lose the message', async () => {
  const { handle, posted, find } = await createSchedule();
  await handle(dueMs + 20 * minuteMs, { endsAt: 'Missed' });
  await handle(dueMs + 21 * minuteMs);
  expect(posted).toEqual([expect.stringContaining('Missed: Reboot')]);
  expect(await find()).toMatchObject({ state: { kind: 'ended' }, lastResult: { isOk: false } });
});

test('a process that ends before it has reported a pause does not lose the message', async () => {
  const { handle, posted, find } = await createSchedule();
  await handle(dueMs, { standing: 'left', endsAt: 'is paused' });
  await handle(dueMs, { standing: 'left' });
  // The creator, and the channel.
  const paused = expect.stringMatching(/is paused.*no longer a member/);
  expect(posted).toEqual([paused, paused]);
  expect(await find()).toMatchObject({ state: { kind: 'paused', reason: 'left' } });
});
