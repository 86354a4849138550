import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { createSlackSandbox } from 'slack-sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createHostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import { startApp } from '../../../src/sandbox/stack.ts';
import { createManualClock } from '../../jobs/clocks/manual-clock.ts';
import { createRandom, expectedOf } from '../../schedules/retention-model.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { createHostingDriver, createSlackDriver, manifestPath } from '../../stack.ts';

// Berlin's clocks change on 31 October, and on 26 March.
const startMs = Date.parse('2027-10-20T10:00Z');

/** `SCHEDULE_DAYS=366` tries a whole year in about 30 s. */
const dayCount = Number(process.env.SCHEDULE_DAYS ?? 14);
const minuteMs = 60_000;
const vps = 'VPS-10002';

const snapshotList = z.object({ data: z.object({ snapshots: z.array(z.object({ name: z.string() })) }) });

const scheduleRow = z.object({
  next_at: z.number(),
  occurrence: z.string().nullable(),
  last_result: z.string().nullable(),
});

test('after each day with failures, restarts and a change of clocks, exactly the snapshots of the policy exist, and all others', async () => {
  const clock = createManualClock(startMs);
  const { now } = clock;
  const log = pino({ level: 'silent' });
  const hosting = await createHostingSandbox({ port: 0, now, snapshotQuota: 40, windowMs: 50 });
  const slackSandbox = await createSlackSandbox({ port: 0, manifest: manifestPath, now });
  const file = join(makeScratchDirectory('year'), 'year.db');
  const options = {
    hosting: { port: 0, windowMs: 50 },
    slack: { port: 0 },
    databaseUrl: `sqlite:${file}`,
    encryptionKey: randomBytes(32),
    clock,
    log,
    workingNoticeMs: 3_600_000,
  };
  const start = () => startApp(options, { hostingUrl: hosting.url, slackUrl: slackSandbox.url });
  let app = await start();
  const db = new DatabaseSync(file, { readOnly: true });
  onTestFinished(async () => {
    db.close();
    await app.stop();
    await slackSandbox.close();
    await hosting.close();
  });
  const slack = createSlackDriver(slackSandbox.url);
  const service = createHostingDriver(hosting.url);
  // Its calls aren't counted against the app's quota.
  await service.addKey('checker');
  for (const name of ['by-hand', 'year-20270101t0130z']) {
    await slack.slash(`snapshot create ${vps} ${name}`);
    await slack.message(name);
  }
  await slack.slash(
    `schedule snapshot ${vps} daily 02:30 --zone Europe/Berlin --keep 7d,4w,6m --announce 0m --name year`,
  );
  const card = await slack.message('Schedule this?');
  await slack.click(card, 'Schedule');
  await slack.message('is scheduled');

  const query = db.prepare('SELECT next_at, occurrence, last_result FROM schedule');
  const readSchedule = () => scheduleRow.parse(query.get());
  const listNames = async () => {
    const response = await fetch(`${hosting.url}/v1/vps/${vps}/snapshots`, {
      headers: { authorization: 'Bearer checker' },
    });
    if (!response.ok) throw new Error(await response.text());
    return snapshotList
      .parse(await response.json())
      .data.snapshots.map(({ name }) => name)
      .toSorted();
  };
  /** Gives calls of the service a moment, in which the clock stands still. */
  const turn = () => delay(1);

  const seen = { taken: 0, failed: 0, missed: 0, restarts: 0 };

  /** Lets time pass until the night's work has ended. Restarts the app in the middle, if asked to. */
  async function finishNight(dueMs: number, withRestart: boolean): Promise<void> {
    let isRestartDue = withRestart;
    for (let tries = 0; tries < 2_000; tries += 1) {
      await clock.advanceTo(now() + 1_000, turn);
      const { next_at, occurrence } = readSchedule();
      if (next_at !== dueMs && occurrence === null) return;
      if (occurrence === null || !isRestartDue) continue;
      isRestartDue = false;
      await app.stop();
      app = await start();
      seen.restarts += 1;
    }
    throw new Error(`the work of ${new Date(dueMs).toISOString()} did not end`);
  }

  const random = createRandom(7);
  const taken: number[] = [];
  let kept: readonly number[] = [];
  for (let day = 0; day < dayCount; day += 1) {
    const dueMs = readSchedule().next_at;
    const fate = random();
    if (fate < 0.12) await service.fault('status:503', { method: 'POST', path: `/v1/vps/${vps}/snapshots` });
    if (fate >= 0.12 && fate < 0.22) {
      await app.stop();
      clock.jumpTo(dueMs + 20 * minuteMs);
      app = await start();
      seen.missed += 1;
    }
    clock.jumpTo(Math.max(now(), dueMs));
    await finishNight(dueMs, fate >= 0.22 && fate < 0.4);
    await service.cancelFaults();
    const { isOk } = JSON.parse(readSchedule().last_result ?? '{}');
    if (isOk) {
      taken.push(dueMs);
      kept = expectedOf(taken);
      seen.taken += 1;
    } else seen.failed += 1;
    const names = kept.map(
      (ms) => `year-${new Date(ms).toISOString().slice(0, 16).replace(/[-:]/g, '').toLowerCase()}z`,
    );
    expect(await listNames(), `day ${day}, fate ${fate}`).toEqual(
      ['by-hand', 'year-20270101t0130z', ...names].toSorted(),
    );
  }
  expect(seen).toMatchObject({
    taken: expect.toSatisfy((count: number) => count > dayCount / 2),
    failed: expect.toSatisfy((count: number) => count > 0),
    restarts: expect.toSatisfy((count: number) => count > 0),
  });
});
