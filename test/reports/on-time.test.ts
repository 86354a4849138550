import { afterEach, beforeEach, expect, test } from 'vitest';
import { collectingMs } from '../../src/reports/pace.ts';
import { type Clock, createSystemClock } from '../../src/reports/schedule/clock.ts';
import { eventually } from '../eventually.ts';
import { type RunningStack, startStack, textOf } from '../stack.ts';

// The quota's window is a sixtieth of its length, and the time that its calls take with it. A report is made in what it takes on this machine.
const windowMs = 1_000;
const quota = 50;
const calls = 601;
const pace = { backgroundLimit: 40, holdMs: windowMs };
const lead = collectingMs(calls, pace);

const waiting = { timeout: 90_000, interval: 250 };

let running: RunningStack;
let clock: Clock & { readonly aheadMs: number };
let dueMs: number;

/** The clock of this machine, so far ahead that a full minute begins in so many ms. */
function clockBefore(minuteInMs: number) {
  const system = createSystemClock();
  const minuteMs = 60_000;
  dueMs = Math.ceil((system.now() + minuteInMs) / minuteMs) * minuteMs;
  const aheadMs = dueMs - minuteInMs - system.now();
  return {
    aheadMs,
    now: () => system.now() + aheadMs,
    setTimer: (atMs: number, run: () => void) => system.setTimer(atMs - aheadMs, run),
  };
}

beforeEach(async () => {
  clock = clockBefore(lead + 15_000);
  running = await startStack({ clock, hosting: { windowMs, vpsCount: 200 } });
});
afterEach(() => running.close());

/** How long somebody waits for an answer, in ms: the middle of some. */
async function waitOfPerson(times: number): Promise<number> {
  const waits: number[] = [];
  for (let index = 0; index < times; index += 1) {
    const before = (await running.slack.messages('C0OPS', 'U0BOB')).length;
    const askedMs = performance.now();
    await running.slack.slash(`show VPS-${10_101 + index}`, { user: 'U0BOB' });
    await expect
      .poll(async () => (await running.slack.messages('C0OPS', 'U0BOB')).length, { ...waiting, interval: 5 })
      .toBeGreaterThan(before);
    waits.push(performance.now() - askedMs);
  }
  return waits.sort((a, b) => a - b)[Math.floor(times / 2)] ?? Number.NaN;
}

const monitored = async () =>
  (await running.service.calls()).filter(({ path }) => path.includes('/monitoring/'));

/** What came of the reports in a channel, once it has come. */
const postIn = (channel: string) =>
  eventually(
    async () => {
      const posts = (await running.slack.messages(channel, 'U0CAROL')).filter(({ text }) =>
        /of 200 need/.test(text),
      );
      expect(posts).toHaveLength(1);
      return posts;
    },
    { atMostMs: 90_000, everyMs: 250 },
  );

test('two reports on 200 VPS come at their time, within the quota, and nobody waits behind them', async () => {
  const idleMs = await waitOfPerson(5);
  const at = new Date(dueMs).toISOString().slice(11, 16);
  for (const [name, channel] of [
    ['One', '#ops'],
    ['Two', '#general'],
  ]) {
    await running.slack.slash(`report add daily ${at} --zone UTC --name ${name} --channel ${channel}`);
    await running.slack.message(`The report "${name}" is planned`);
  }
  expect(clock.now()).toBeLessThan(dueMs - lead);

  await expect.poll(async () => (await monitored()).length, waiting).toBeGreaterThan(200);
  const busyMs = await waitOfPerson(5);
  expect((await monitored()).length).toBeLessThan(550);
  expect(busyMs).toBeLessThan(idleMs + windowMs);

  for (const post of (await Promise.all(['C0OPS', 'C0GENERAL'].map(postIn))).flat()) {
    const postedMs = Number(post.ts) * 1_000 + clock.aheadMs;
    expect(Math.abs(postedMs - dueMs)).toBeLessThan(lead / 100);
    expect(textOf(post)).not.toMatch(/This is late|could not be read/);
  }
  // What is read for one of them serves the other.
  expect(await monitored()).toHaveLength(calls - 1);
  const times = (await running.service.calls()).map((call) => call.at);
  const worst = Math.max(
    ...times.map((from) => times.filter((time) => time >= from && time < from + windowMs).length),
  );
  expect(worst).toBeLessThanOrEqual(quota);
}, 150_000);
