import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createChartRenderer } from '../../../src/charts/chart-renderer.ts';
import { watchChildProcesses } from '../../charts/watch-child-processes.ts';
import { eventually } from '../../eventually.ts';
import { createQuietWednesdayClock, quietWednesdayMs } from '../../jobs/clocks/jumping-clock.ts';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { blocksText, grantAll, type RunningStack, startStack } from '../../stack.ts';
import { bob, readButtonLabels, readTable, runCommand } from '../command-driver.ts';
import { expectSpokenTargets } from '../operations/spoken-targets.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

let running: RunningStack;
let clock: ManualClock;

/** 14 minutes after the start: enough time to collect a report. */
const dueMs = Math.ceil(quietWednesdayMs / minuteMs) * minuteMs + 14 * minuteMs;
const at = new Date(dueMs).toISOString().slice(11, 16);

beforeEach(async () => {
  clock = createManualClock(quietWednesdayMs);
  running = await startStack({ clock, hosting: { now: createQuietWednesdayClock().now, windowMs: 250 } });
});
afterEach(() => running.close());

/** Advances the clock. Three turns, since one timer can set another that has passed by then. */
async function passTo(untilMs: number): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await clock.advanceTo(untilMs, () => new Promise((resolve) => setImmediate(resolve)));
  }
}

/** Waits for a message that Carol sees, and therefore everyone in the channel. */
const inChannel = (matching: RegExp, channel = 'C0OPS') =>
  running.slack.message(matching, channel, 'U0CAROL');

const plan = (words: string, answer = /^Report .+ is scheduled$/) =>
  runCommand(running, `report add ${words}`, answer);

/** Waits until the list shows this next time of its only report. */
const untilNextIs = (nextMs: number) =>
  eventually(
    async () =>
      expect(blocksText(await runCommand(running, 'report list', /One report/))).toContain(
        String(nextMs / 1_000),
      ),
    { intervalMs: 50 },
  );

describe('report run', () => {
  test('summarizes the fleet for the requester, with a chart, and shows the findings in detail', async () => {
    await running.slack.slash('report run');
    const message = await running.slack.message(/2 of 12 need a look/, 'U0ALICE', 'U0ALICE');
    expect(message.text).toContain('worker-01 CPU');
    expect(blocksText(message)).toContain('*worker-01 (VPS-10004):* CPU');
    const types = message.blocks.map(({ type }) => type);
    const tableIndex = types.findIndex((type) => type === 'table' || type === 'data_table');
    expect(types.indexOf('image')).toBe(tableIndex - 1);
    // The chart's alternative text names the peaks, so no other text repeats them.
    expect(blocksText(message).match(/Highest: /g)).toHaveLength(1);
    expect(readTable(message)).toHaveLength(12);
    expect(readTable(message)[0]?.[0]).toMatch(/^⚠️ \S+$/);
    expect(JSON.stringify(message.blocks)).toContain('"accessibility_label":"Graph worker-01 (VPS-10004)"');
    const paths = (await running.service.calls()).map(({ path }) => path);
    expect(paths.filter((path) => path.includes('/monitoring/'))).toHaveLength(36);
  });
});

describe('report run with the right to view some VPS', () => {
  test('lists only these', async () => {
    await running.close();
    running = await startStack({
      grants: [{ grantee: 'U0BOB', right: 'view', pattern: 'VPS-10001' }, ...grantAll('view', 'U0CAROL')],
    });
    await running.slack.slash('report run', bob);
    const message = await running.slack.message(/VPS-10001/, 'U0BOB', 'U0BOB');
    expect(readTable(message)).toHaveLength(1);
    expect(blocksText(message)).toContain('Only VPS you have access to are listed');
    expect(blocksText(message)).not.toContain('VPS-10004');
    await runCommand(running, 'report list', /permission/, bob);
  });
});

describe('a scheduled report', () => {
  test('shows its next three times, and is posted once when it is due', async () => {
    const planned = await plan(`daily ${at} --zone UTC --name "Every morning"`);
    expect(blocksText(planned)).toContain(`Every day at ${at}, UTC`);
    expect(blocksText(planned).match(/(Next|Then): /g)).toHaveLength(3);
    await inChannel(/Report "Every morning" is scheduled for this channel/);

    await passTo(dueMs - 1);
    await eventually(async () =>
      expect((await running.service.calls()).filter(({ path }) => path.endsWith('/live'))).toHaveLength(12),
    );
    expect(JSON.stringify(await running.slack.messages('C0OPS', 'U0CAROL'))).not.toContain('need a look');

    await passTo(dueMs);
    const post = await inChannel(/2 of 12 need a look/);
    expect(post.blocks.map(({ type }) => type)).toContain('image');
    expect(readTable(post)).toHaveLength(12);
    expect(blocksText(post)).not.toContain('Since last time');
    expect(blocksText(post)).toContain('Every morning: Every day at');
    expect(blocksText(post)).not.toMatch(/repeat|\blate\b/);
    expect(post.pings).toEqual([]);
    const thread = await inChannel(/legacy-01 \(VPS-10012\): stopped/);
    expect(thread.thread_ts).toBe(post.ts);
    for (const message of [planned, post, thread]) expectSpokenTargets(message);
    await eventually(async () => {
      await running.slack.act('home', { user: 'U0ALICE' });
      const home = await running.slack.home();
      expect(home).toContain('Stands out in the latest reports');
      expect(home).toMatch(/⚠️ \*legacy-01 \(VPS-10012\)\* {3}stopped[^*]*\. As of <!date/);
      expect(home).toContain(`As of <!date^${dueMs / 1_000}^`);
    });
    expect(readButtonLabels(thread)).toEqual([
      'Graph',
      'Show',
      'Mute for a Day',
      'Graph',
      'Show',
      'Mute for a Day',
    ]);

    await untilNextIs(dueMs + dayMs);
    clock.jumpTo(dueMs + dayMs - 15 * minuteMs);
    const next = await eventually(async () => {
      // A timer's work can set the next timer after the time has passed.
      await passTo(dueMs + dayMs);
      const posts = (await running.slack.messages('C0OPS', 'U0CAROL')).filter(({ text }) =>
        /of 12 need/.test(text),
      );
      expect(posts).toHaveLength(2);
      return posts[1];
    });
    expect(next && blocksText(next)).toContain('Since last time');
  });
});

test('a report is posted without its graph, and says so, if each process that draws it is killed', async () => {
  onTestFinished(watchChildProcesses((child) => child.once('spawn', () => child.kill('SIGKILL'))));
  await running.close();
  running = await startStack({ clock, hosting: { windowMs: 250 }, charts: createChartRenderer() });
  await plan(`daily ${at} --zone UTC --name Morning --vps VPS-10012`);
  await passTo(dueMs);
  expect(blocksText(await inChannel(/stands out|needs a look/))).toContain('The graph is missing');
});

test('a person who waits for a report sees its progress in their DMs, and then only the report', async () => {
  // As slow as a much larger fleet.
  await running.service.fault('slow:1200', { path: '/v1/vps/*', method: 'GET', times: 100 });
  await running.slack.slash('report run');
  const inDm = (matching: RegExp) => running.slack.message(matching, 'U0ALICE', 'U0ALICE');
  const progress = await inDm(/Fleet report: \d+ of 12 VPS read, about \d+ (s|min) to go/);
  const note = await running.slack.message(/I'll show the progress in your DMs/);
  expect(note.ephemeral).toBe(true);
  await inDm(/of 12 needs? a look/);
  await eventually(async () => {
    const seen = await running.slack.messages('U0ALICE', 'U0ALICE');
    expect(seen.map(({ ts }) => ts)).not.toContain(progress.ts);
  });
});
