import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createChartRenderer } from '../../../src/charts/chart-renderer.ts';
import { watchChildProcesses } from '../../charts/watch-child-processes.ts';
import { eventually } from '../../eventually.ts';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { blocksText, type RunningStack, type SlackMessage, startStack } from '../../stack.ts';
import { runCommand } from '../command-driver.ts';

const minuteMs = 60_000;

let running: RunningStack;
let clock: ManualClock;
let dueMs: number;
let at: string;

beforeEach(async () => {
  const nowMs = Date.now();
  clock = createManualClock(nowMs);
  dueMs = Math.ceil(nowMs / (15 * minuteMs)) * 15 * minuteMs + 15 * minuteMs;
  at = new Date(dueMs).toISOString().slice(11, 16);
  running = await startStack({ clock, charts: createChartRenderer() });
});
afterEach(() => running.close());

async function passTo(untilMs: number): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await clock.advanceTo(untilMs, () => new Promise((resolve) => setImmediate(resolve)));
  }
}

const plan = (words: string) => runCommand(running, `report add ${words}`, /^Report .+ is scheduled$/);

/** Returns the report posts in a channel, without threads. */
async function postsIn(channel: string): Promise<readonly SlackMessage[]> {
  const messages = await running.slack.messages(channel, 'U0CAROL');
  return messages.filter(({ text }) => /needs? a look|stands out|failed/.test(text));
}

/** Moves the clock to the time of the report in #general, and returns its post. */
const untilPosted = () =>
  eventually(async () => {
    await passTo(dueMs);
    const [post, ...others] = await postsIn('C0GENERAL');
    if (!post) throw new Error('the report was not posted');
    expect(others).toEqual([]);
    return post;
  });

describe('a report', () => {
  test('is posted without its graph, and says so, if each process that draws it is killed', async () => {
    onTestFinished(watchChildProcesses((child) => child.once('spawn', () => child.kill('SIGKILL'))));
    await plan(`daily ${at} --zone UTC --channel #general --name Morning --vps VPS-10012`);
    const post = await untilPosted();
    expect(blocksText(post)).toContain('The graph is missing');
  });
});
