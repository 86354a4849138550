import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectingMs } from '../../src/reports/pace.ts';
import { type Clock, createSystemClock } from '../../src/reports/schedule/clock.ts';
import { type RunningStack, startStack, textOf } from '../stack.ts';

// The quota's window is a sixtieth of its length, and the time that its calls take with it.
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

test('a report on 200 VPS comes at its time, within the quota, and nobody waits behind it', async () => {
  const idleMs = await waitOfPerson(5);
  const at = new Date(dueMs).toISOString().slice(11, 16);
  await running.slack.slash(`report add daily ${at} --zone UTC --name Fleet`);
  await running.slack.message('The report "Fleet" is planned');
  expect(clock.now()).toBeLessThan(dueMs - lead);

  await expect.poll(async () => (await monitored()).length, waiting).toBeGreaterThan(200);
  const busyMs = await waitOfPerson(5);
  expect((await monitored()).length).toBeLessThan(550);

  const post = await vi.waitFor(async () => {
    const [found] = (await running.slack.messages('C0OPS', 'U0CAROL')).filter(({ text }) =>
      /of 200 need/.test(text),
    );
    if (!found) throw new Error('it has not come');
    return found;
  }, waiting);
  const postedMs = Number(post.ts) * 1_000 + clock.aheadMs;
  expect(Math.abs(postedMs - dueMs)).toBeLessThan(lead / 100);
  expect(textOf(post)).not.toMatch(/late|could not be read/);
  const times = (await running.service.calls()).map((call) => call.at);
  const worst = Math.max(
    ...times.map((from) => times.filter((time) => time >= from && time < from + windowMs).length),
  );
  expect(worst).toBeLessThanOrEqual(quota);
  expect(busyMs).toBeLessThan(idleMs + windowMs);
}, 150_000);
