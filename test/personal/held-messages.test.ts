import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/engines/database.ts';
import { createLocalDatabaseClock } from '../../src/jobs/database-clock.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { createHeldMessages } from '../../src/personal/held-messages.ts';
import { defaultSettings, type PersonalSettings } from '../../src/personal/personal-settings.ts';
import { createManualClock } from '../jobs/clocks/manual-clock.ts';
import { settle } from '../jobs/jobs-fixture.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = Date.parse('2026-11-25T00:00Z');
const person = { teamId: 'T0ACME', userId: 'U0ALICE' };

type Deliver = Parameters<typeof createHeldMessages>[0]['deliver'];

interface ProcessHooks {
  findSettings?(): Promise<PersonalSettings>;
  deliver(...message: Parameters<Deliver>): Promise<void>;
}

/** Creates processes of which the person's quiet hours end at 01:00. */
async function createFixture() {
  const { db, close } = await openDatabase('sqlite::memory:');
  onTestFinished(close);
  const clock = createManualClock(startMs);
  const errors: string[] = [];
  const settings = { ...defaultSettings, quiet: '00:00-01:00' };
  async function createProcess({ findSettings = async () => settings, deliver }: ProcessHooks) {
    const databaseClock = createLocalDatabaseClock(clock);
    const log = { warn() {}, error: (_: unknown, text = '') => void errors.push(text) };
    const jobs = createJobs({ db, databaseClock, hasReplicas: true, maxSleepMs: 60_000, log });
    onTestFinished(() => jobs.stop(0));
    const hold = createHeldMessages({
      ...{ db, jobs, deliver, log },
      store: { find: findSettings },
      findTimeZone: async () => 'UTC',
    });
    await jobs.start();
    return { hold };
  }
  async function advance(ms: number, stepMs: number): Promise<void> {
    for (const untilMs = clock.now() + ms; clock.now() < untilMs; )
      await clock.advanceTo(clock.now() + stepMs, settle);
  }
  return { db, clock, settings, errors, createProcess, advance };
}

test('a message is sent once although a process was frozen for longer than its lease', async () => {
  const { db, clock, settings, createProcess, advance } = await createFixture();
  const sent: string[] = [];
  const frozen = Promise.withResolvers<void>();
  let isFrozen = false;
  const first = await createProcess({
    async findSettings() {
      if (clock.now() >= startMs + hourMs && !isFrozen) {
        isFrozen = true;
        await frozen.promise;
      }
      return settings;
    },
    deliver: async () => void sent.push('first'),
  });
  expect(await first.hold(person, { title: 'Hello' })).toBe(true);
  await advance(hourMs, 10_000);
  expect(isFrozen).toBe(true);
  // A frozen process doesn't renew its lease.
  await db.updateTable('job').set({ claimable_at: startMs }).execute();
  await createProcess({ deliver: async () => void sent.push('second') });
  await settle();
  frozen.resolve();
  await advance(60_000, 1_000);
  expect(sent).toEqual(['second']);
});

test('a message that can never be sent is given up', async () => {
  const { db, clock, errors, createProcess, advance } = await createFixture();
  let attemptCount = 0;
  const { hold } = await createProcess({
    async deliver() {
      attemptCount += 1;
      throw new Error('Slack failed.');
    },
  });
  await hold(person, { title: 'Hello' });
  clock.jumpTo(startMs + 13 * dayMs);
  await advance(2 * hourMs, 60_000);
  expect(attemptCount).toBeGreaterThan(10);
  expect(await db.selectFrom('job').select('id').execute()).toHaveLength(1);
  clock.jumpTo(startMs + 15 * dayMs);
  await advance(2 * hourMs, 60_000);
  expect(await db.selectFrom('job').select('id').execute()).toEqual([]);
  expect(errors).toContain('a direct message that was held for quiet hours is given up');
});

test('the messages of one night are sent in the order of time, and one that fails holds up no other', async () => {
  const { clock, createProcess, advance } = await createFixture();
  const sent: string[] = [];
  const { hold } = await createProcess({
    async deliver(_, { title }) {
      // The first ones are the slowest.
      for (let left = 40 - 4 * Number(title); left > 0; left -= 1) await turn();
      if (title === '3') throw new Error('Slack rejects this message.');
      sent.push(title);
    },
  });
  const titles = Array.from({ length: 9 }, (_, index) => String(index));
  for (const title of titles) {
    await hold(person, { title });
    clock.jumpTo(clock.now() + 1_000);
  }
  await advance(hourMs + 60_000, 250);
  expect(sent).toEqual(titles.filter((title) => title !== '3'));
});
