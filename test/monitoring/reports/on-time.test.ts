import { expect, test } from 'vitest';
import { estimateReportMs } from '../../../src/monitoring/shared/throughput.ts';
import { eventually } from '../../eventually.ts';
import { createJumpingClock } from '../../jobs/clocks/jumping-clock.ts';
import { blocksText } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';

// The quota's window and the duration of its calls are a sixtieth of the real ones. Building a
// report takes as long as it does on this machine.
const windowMs = 1_000;
const minuteMs = 60_000;
const quota = 50;
const vpsCount = 60;
const calls = 3 * vpsCount + 1;
const pace = { backgroundLimit: 40, holdMs: windowMs };
const lead = estimateReportMs(calls, pace);

const waiting = { timeout: 90_000, interval: 250 };

const clock = createJumpingClock();
const running = useStack({ clock, hosting: { windowMs, vpsCount } });

/** Asks for several VPS at the same time. Resolves when all answers are there. */
async function askForVps(count: number): Promise<void> {
  const asked = Array.from({ length: count }, (_, index) => `VPS-${10_051 + index}`);
  await Promise.all(asked.map((vps) => running.slack.slash(`show ${vps}`, { user: 'U0BOB' })));
  await running.slack.untilSeen(async () => {
    const texts = (await running.slack.newMessages('C0OPS', 'U0BOB')).map(({ text }) => text);
    for (const vps of asked) expect(texts).toContainEqual(expect.stringContaining(vps));
  });
}

const monitored = async () =>
  (await running.service.calls()).filter(({ path }) => path.includes('/monitoring/'));

/** Waits for a report in a channel. */
const postIn = (channel: string) =>
  eventually(
    async () => {
      const posts = (await running.slack.messages(channel, 'U0CAROL')).filter(({ text }) =>
        /of 60 need/.test(text),
      );
      expect(posts).toHaveLength(1);
      return posts;
    },
    { timeoutMs: 90_000, intervalMs: 250 },
  );

test('two reports on 60 VPS are posted on time, within the quota, and nobody waits behind them', async () => {
  const dueMs = Math.ceil((clock.now() + lead) / minuteMs) * minuteMs + minuteMs;
  const at = new Date(dueMs).toISOString().slice(11, 16);
  for (const [name, channel] of [
    ['One', '#ops'],
    ['Two', '#general'],
  ]) {
    await running.slack.slash(`report add daily ${at} --zone UTC --name ${name} --channel ${channel}`);
    await running.slack.message(`Report "${name}" is scheduled`);
  }
  const beforeLead = dueMs - lead - clock.now();
  expect(beforeLead).toBeGreaterThan(0);
  clock.jump(beforeLead);

  await expect.poll(async () => (await monitored()).length, waiting).toBeGreaterThan(vpsCount);
  await askForVps(5);
  await expect.poll(async () => (await monitored()).length, waiting).toBe(calls - 1);
  const beforeDue = Math.max(0, dueMs - 500 - clock.now());
  clock.jump(beforeDue);

  for (const post of (await Promise.all(['C0OPS', 'C0GENERAL'].map(postIn))).flat()) {
    const postedMs = Number(post.ts) * 1_000 + beforeLead + beforeDue;
    // Collected before its time, and not posted early. How soon after it depends on the machine.
    expect(postedMs).toBeGreaterThanOrEqual(dueMs);
    expect(blocksText(post)).not.toMatch(/This report is late|could not be read/);
  }
  // The other report shares this reading.
  expect(await monitored()).toHaveLength(calls - 1);
  const made = await running.service.calls();
  // Their calls would come last if people waited behind the reports.
  const lastOfPeople = made.findLastIndex(({ path }) => /^\/v1\/vps\/VPS-\d+$/.test(path));
  expect(made.length - lastOfPeople).toBeGreaterThan(vpsCount / 4);
  const times = made.map((call) => call.at);
  const worst = Math.max(
    ...times.map((from) => times.filter((time) => time >= from && time < from + windowMs).length),
  );
  expect(worst).toBeLessThanOrEqual(quota);
}, 150_000);
