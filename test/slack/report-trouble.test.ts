import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../eventually.ts';
import { createManualClock, type ManualClock } from '../reports/schedule/manual-clock.ts';
import { type RunningStack, type SlackMessage, startStack, textOf } from '../stack.ts';
import { ask, buttonsOf, tableOf } from './history-acts.ts';

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

const plan = (words: string) => ask(running, `report add ${words}`, /^The report .+ is planned$/);

/** The posts of reports, and nothing of their threads, that stand in a channel. */
async function postsIn(channel: string): Promise<readonly SlackMessage[]> {
  const messages = await running.slack.messages(channel, 'U0CAROL');
  return messages.filter(({ text }) => /needs? a look|stands out|could not be made/.test(text));
}

/** What was asked of the service about how VPS do. */
async function monitored(): Promise<readonly string[]> {
  const calls = await running.service.calls();
  return calls
    .map(({ path, query }) => `${path} ${JSON.stringify(query)}`)
    .filter((path) => path.includes('/monitoring/'));
}

const traffic = z.object({ traffic: z.array(z.object({ kind: z.string() })) });

/** How often a method of Slack's Web API was called. */
async function callsOf(method: string): Promise<number> {
  const response = await fetch(`${running.slack.url}/sandbox/traffic`);
  return traffic.parse(await response.json()).traffic.filter(({ kind }) => kind === method).length;
}

const person = (command: string, text: string, channel: string) =>
  running.slack.act('slash', { team: 'T0ACME', user: 'U0ALICE', channel, command, text });

describe('a report', () => {
  test('rests where the app was removed from its channel, and comes again once it is back', async () => {
    await plan(`daily ${at} --zone UTC --channel #general --name Morning --vps VPS-10012`);
    await person('/remove', '@rackhand', 'C0GENERAL');
    await passTo(dueMs);
    const told = await running.slack.message('The report "Morning" rests', 'U0ALICE', 'U0ALICE');
    expect(textOf(told)).toContain('not in it any more');
    expect(buttonsOf(told)).toContain('Resume');
    await person('/invite', '@rackhand', 'C0GENERAL');
    await ask(running, 'report resume Morning', /"Morning" comes again/);
    await eventually(async () => {
      await passTo(dueMs + 24 * 60 * minuteMs);
      expect(await postsIn('C0GENERAL')).toHaveLength(1);
    });
  });

  test('waits as long as Slack wants, and another channel does not', async () => {
    await plan(`daily ${at} --zone UTC --name One --vps VPS-10012`);
    await plan(`daily ${at} --zone UTC --name Two --vps VPS-10012 --channel #general`);
    await passTo(dueMs - 1);
    await eventually(async () => expect(await monitored()).toHaveLength(3));
    // Its picture is with Slack by now.
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
    for (const post of await posts()) expect(textOf(post)).not.toMatch(/repeat|late/);
  });

  test('whose list of VPS cannot be read is tried for a quarter of its period, and then says why', async () => {
    await plan('cron --cron "*/15 * * * *" --zone UTC --name Often');
    // After a change nothing that was read before is taken for true.
    await running.slack.slash('snapshot create VPS-10001 first');
    await running.slack.message('Take snapshot first of VPS-10001: ✅ Done');
    const before = (await running.service.calls()).length;
    await running.service.fault('status:500', { path: '/v1/vps', times: 1_000 });
    const [post] = await eventually(
      async () => {
        await passTo(clock.now() + 5_000);
        const posts = await postsIn('C0OPS');
        expect(posts).toHaveLength(1);
        return posts;
      },
      { atMostMs: 60_000, everyMs: 100 },
    );
    expect(clock.now()).toBeGreaterThanOrEqual(dueMs + 3 * minuteMs - 15 * minuteMs);
    expect(post?.text).toBe('The report "Often" could not be made');
    expect(post && textOf(post)).toContain('500');
    expect(post && buttonsOf(post)).toEqual(['Run Now', 'Reports']);
    expect((await running.service.calls()).length - before).toBeGreaterThan(6);
  }, 90_000);

  test('shares what it reads with another that is due at the same time', async () => {
    await plan(`daily ${at} --zone UTC --name One --vps VPS-1000*`);
    await plan(`daily ${at} --zone UTC --name Two --vps VPS-1000* --channel #general`);
    for (const channel of ['C0OPS', 'C0GENERAL']) {
      const [post] = await eventually(async () => {
        await passTo(dueMs);
        const posts = await postsIn(channel);
        expect(posts).toHaveLength(1);
        return posts;
      });
      expect(post && tableOf(post)).toHaveLength(9);
    }
    const asked = await monitored();
    expect(asked).toHaveLength(27);
    expect(new Set(asked).size).toBe(27);
  });
});
