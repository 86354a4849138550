import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { blocksText, grantAll, type RunningStack, startStack } from '../../stack.ts';
import { bob, runCommand } from '../command-driver.ts';

// A Wednesday. Bob's zone isn't used.
const startMs = Date.parse('2026-11-25T10:00Z');
const minuteMs = 60_000;

let running: RunningStack;
let clock: ManualClock;

beforeEach(async () => {
  clock = createManualClock(startMs);
  running = await startStack({
    clock,
    hosting: { now: clock.now, vpsCount: 4, windowMs: 250 },
    grants: grantAll('operate', 'U0BOB'),
  });
});
afterEach(() => running.close());

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const pass = (ms: number) => clock.advanceTo(clock.now() + ms, turn);

/** Passes the times of all plans on the next day, 10:04 and 10:06. */
async function passNextTimes(): Promise<void> {
  clock.jumpTo(startMs + 24 * 60 * minuteMs);
  await pass(10 * minuteMs);
}

/** Moves the clock on by seconds until a check passes. */
const until = (check: () => Promise<void>) =>
  vi.waitFor(
    async () => {
      await pass(5_000);
      await check();
    },
    { timeout: 100_000, interval: 10 },
  );

/** The texts of Alice's direct messages about something that was paused. */
async function listNotices(): Promise<readonly string[]> {
  const messages = await running.slack.messages('D0ALICE', 'U0ALICE');
  return messages.map(({ text }) => text).filter((text) => text.includes('is paused'));
}

const posts = async (text: RegExp) =>
  (await running.slack.messages('C0OPS', 'U0ALICE')).filter((message) => text.test(message.text));

test('after its creator lost the rights, a report, a watch and a schedule pause, an admin is told once, and no later grant revives them', async () => {
  await runCommand(running, 'report add daily 10:06 --zone UTC --name Morning', /is scheduled/, bob);
  await runCommand(running, 'watch add cpu > 90% for 0m --name Busy', /was added/, bob);
  await runCommand(
    running,
    'schedule snapshot VPS-10002 daily 10:04 --zone UTC --announce 0m --name nightly',
    /is scheduled/,
    bob,
  );
  await runCommand(running, 'access revoke @bob', /Revoked/);
  await running.service.load('VPS-10002', { cpu: 0.97 });
  await until(async () => expect(await listNotices()).toHaveLength(3));
  expect((await listNotices()).toSorted()).toEqual([
    'Report "Morning" is paused',
    'Schedule "nightly" is paused',
    'Watch "Busy" is paused',
  ]);
  expect(await posts(/^[⚠✅]|✅|summary/u)).toEqual([]);
  await until(async () => expect(await posts(/^(Report|Watch|Schedule) ".*" is paused$/)).toHaveLength(3));

  await runCommand(running, 'access grant @bob operate', /Granted/);
  await passNextTimes();
  expect(await running.service.changes()).toEqual([]);
  expect(await posts(/^[⚠✅]|✅/u)).toEqual([]);
  expect(await listNotices()).toHaveLength(3);
  const history = blocksText(await runCommand(running, 'history --kind all', /Activity log/));
  for (const kind of ['report', 'watch', 'schedule']) expect(history).toContain(`${kind} pause`);
});

test('a schedule with a pattern pauses if its creator can view none of the VPS that it matches', async () => {
  await runCommand(
    running,
    'schedule snapshot web-* daily 10:04 --zone UTC --announce 0m --name nightly',
    /is scheduled/,
    bob,
  );
  await runCommand(running, 'access revoke @bob *', /Revoked/);
  await runCommand(running, 'access grant @bob operate VPS-10004', /Granted/);
  await until(async () => expect(await listNotices()).toEqual(['Schedule "nightly" is paused']));
  await runCommand(running, 'access grant @bob operate', /Granted/);
  await passNextTimes();
  expect(await running.service.changes()).toEqual([]);
});

test('whoever resumes a watch that was paused for that becomes its creator', async () => {
  await runCommand(running, 'watch add cpu > 90% for 0m --name Busy', /was added/, bob);
  await runCommand(running, 'access revoke @bob', /Revoked/);
  await until(async () => expect(await listNotices()).toHaveLength(1));
  const resumed = await runCommand(running, 'watch resume Busy', /is active again/);
  expect(blocksText(resumed)).toContain("You're the watch's creator now");
  await running.service.load('VPS-10002', { cpu: 0.97 });
  await until(async () => expect(await posts(/^⚠️/u)).toHaveLength(1));
});
