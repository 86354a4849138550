import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { watchChildProcesses } from '../../charts/watch-child-processes.ts';
import { eventually } from '../../eventually.ts';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { blocksText, type RunningStack, type SlackMessage, startStack } from '../../stack.ts';
import { readButtonLabels, readTable, runCommand } from '../command-driver.ts';

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
  running = await startStack({ clock });
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

/** Returns the monitoring calls to the service. */
async function monitored(): Promise<readonly string[]> {
  const calls = await running.service.calls();
  return calls
    .map(({ path, query }) => `${path} ${JSON.stringify(query)}`)
    .filter((path) => path.includes('/monitoring/'));
}

const traffic = z.object({ traffic: z.array(z.object({ kind: z.string() })) });

/** Returns how often a method of Slack's Web API was called. */
async function callsOf(method: string): Promise<number> {
  const response = await fetch(`${running.slack.url}/sandbox/traffic`);
  return traffic.parse(await response.json()).traffic.filter(({ kind }) => kind === method).length;
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

const person = (command: string, text: string, channel: string) =>
  running.slack.act('slash', { team: 'T0ACME', user: 'U0ALICE', channel, command, text });

describe('a report', () => {
  test('is posted without its graph, and says so, if each process that draws it is killed', async () => {
    onTestFinished(watchChildProcesses((child) => child.once('spawn', () => child.kill('SIGKILL'))));
    await plan(`daily ${at} --zone UTC --channel #general --name Morning --vps VPS-10012`);
    const post = await untilPosted();
    expect(blocksText(post)).toContain('The graph is missing');
  });

  test('delays no ack by a second while the processes that draw its graph are killed', async () => {
    const commands: ReturnType<typeof running.slack.slash>[] = [];
    const stopWatching = watchChildProcesses((child) => {
      child.once('spawn', () => child.kill('SIGKILL'));
      child.once('exit', () => commands.push(running.slack.slash('help')));
    });
    onTestFinished(stopWatching);
    await plan(`daily ${at} --zone UTC --channel #general --name Morning --vps VPS-10012`);
    await eventually(async () => {
      await passTo(dueMs);
      expect(commands).toHaveLength(2);
      expect(await postsIn('C0GENERAL')).toHaveLength(1);
    });
    for (const { acknowledged, ack_ms } of await Promise.all(commands)) {
      expect(acknowledged).toBe(true);
      expect(ack_ms).toBeLessThan(1_000);
    }
  });

  test('is posted with its graph if the first process that draws it is killed', async () => {
    let started = 0;
    const stopWatching = watchChildProcesses((child) => {
      started += 1;
      if (started === 1) child.once('spawn', () => child.kill('SIGKILL'));
    });
    onTestFinished(stopWatching);
    await plan(`daily ${at} --zone UTC --channel #general --name Morning --vps VPS-10012`);
    const post = await untilPosted();
    expect(started).toBe(2);
    expect(post.blocks.map(({ type }) => type)).toContain('image');
    expect(blocksText(post)).not.toContain('The graph is missing');
  });

  test('is paused if the app was removed from its channel, and continues once it is back', async () => {
    await plan(`daily ${at} --zone UTC --channel #general --name Morning --vps VPS-10012`);
    await person('/remove', '@rackhand', 'C0GENERAL');
    await passTo(dueMs);
    const told = await running.slack.message('Report "Morning" is paused', 'U0ALICE', 'U0ALICE');
    expect(blocksText(told)).toContain('I was removed from it');
    expect(readButtonLabels(told)).toContain('Resume');
    await person('/invite', '@rackhand', 'C0GENERAL');
    await runCommand(running, 'report resume Morning', /"Morning" is active again/);
    const nextMs = dueMs + 24 * 60 * minuteMs;
    clock.jumpTo(nextMs - 15 * minuteMs);
    await eventually(async () => {
      await passTo(nextMs);
      expect(await postsIn('C0GENERAL')).toHaveLength(1);
    });
  });

  test('waits as long as Slack asks, without delaying another channel', async () => {
    await plan(`daily ${at} --zone UTC --name One --vps VPS-10012`);
    await plan(`daily ${at} --zone UTC --name Two --vps VPS-10012 --channel #general`);
    await passTo(dueMs - 1);
    await eventually(async () => expect(await monitored()).toHaveLength(3));
    // The chart has been uploaded by now.
    await eventually(async () => expect(await callsOf('files.completeUploadExternal')).toBe(2));
    await running.slack.fault('ratelimit:chat.postMessage');
    const posts = async () => (await Promise.all(['C0OPS', 'C0GENERAL'].map(postsIn))).flat();
    await eventually(async () => {
      await passTo(dueMs);
      expect(await posts()).toHaveLength(1);
    });
    await eventually(async () => {
      await passTo(dueMs + 30_000);
      expect(await posts()).toHaveLength(2);
    });
    for (const post of await posts()) expect(blocksText(post)).not.toMatch(/repeat|\blate\b/);
  });

  test('whose list of VPS cannot be read is retried for a quarter of its period, and then says why', async () => {
    // Due in six minutes, so that the report starts to collect right at its planned lead time.
    const firstMs = Math.ceil(clock.now() / minuteMs) * minuteMs + 6 * minuteMs;
    const minute = new Date(firstMs).getUTCMinutes() % 15;
    await plan(`cron --cron "${minute}-59/15 * * * *" --zone UTC --name Often`);
    // After a change, earlier readings are no longer used.
    await running.slack.slash('snapshot create VPS-10001 first');
    await running.slack.message(/Take snapshot first of web-01 .*(In progress|Done)/);
    const before = (await running.service.calls()).length;
    await running.service.fault('status:500', { path: '/v1/vps', times: 1_000 });
    const [post] = await eventually(
      async () => {
        await passTo(clock.now() + 5_000);
        const posts = await postsIn('C0OPS');
        expect(posts).toHaveLength(1);
        return posts;
      },
      { timeoutMs: 60_000, intervalMs: 100 },
    );
    expect(clock.now()).toBeGreaterThanOrEqual(firstMs + 3 * minuteMs);
    expect(post?.text).toBe('Report "Often" failed');
    expect(post && blocksText(post)).toContain('500');
    expect(post && readButtonLabels(post)).toEqual(['Run Now', 'Reports']);
    expect((await running.service.calls()).length - before).toBeGreaterThan(6);
  });

  test('shares its readings with another that is due at the same time', async () => {
    await plan(`daily ${at} --zone UTC --name One --vps VPS-1000*`);
    await plan(`daily ${at} --zone UTC --name Two --vps VPS-1000* --channel #general`);
    for (const channel of ['C0OPS', 'C0GENERAL']) {
      const [post] = await eventually(async () => {
        await passTo(dueMs);
        const posts = await postsIn(channel);
        expect(posts).toHaveLength(1);
        return posts;
      });
      expect(post && readTable(post)).toHaveLength(9);
    }
    const asked = await monitored();
    expect(asked).toHaveLength(27);
    expect(new Set(asked).size).toBe(27);
  });
});
