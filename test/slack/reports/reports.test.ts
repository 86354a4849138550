import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { createQuietWednesdayClock, quietWednesdayMs } from '../../jobs/clocks/shifted-clock.ts';
import { blocksText, grantAll, type RunningStack, type SlackMessage, startStack } from '../../stack.ts';
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
  running = await startStack({ clock, hosting: { now: createQuietWednesdayClock().now } });
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

const findFirstText = ({ blocks }: SlackMessage) => {
  const rows = blocks.find(({ type }) => type === 'table' || type === 'data_table')?.rows;
  return JSON.stringify(Array.isArray(rows) ? rows[0] : []);
};

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
    expect(message.text).toContain('worker-01 (VPS-10004) CPU');
    const types = message.blocks.map(({ type }) => type);
    expect(types.indexOf('image')).toBeGreaterThan(types.indexOf('table'));
    // The chart's alternative text names the peaks, so no other text repeats them.
    expect(blocksText(message).match(/Highest: /g)).toHaveLength(1);
    expect(readTable(message)).toHaveLength(12);
    expect(readTable(message)[0]?.[0]).toMatch(/^⚠ \S+ \(VPS-/);
    expect(readButtonLabels(message)).toContain('Graph worker-01 (VPS-10004)');
    const paths = (await running.service.calls()).map(({ path }) => path);
    expect(paths.filter((path) => path.includes('/monitoring/'))).toHaveLength(36);
  });

  test('summarizes some VPS, in the channel', async () => {
    await running.slack.slash('report run --vps VPS-1000* --public');
    expect(readTable(await inChannel(/of 9 need/))).toHaveLength(9);
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
    expect(findFirstText(post)).not.toContain('Since last time');
    expect(blocksText(post)).toContain('Every morning: Every day at');
    expect(blocksText(post)).not.toMatch(/repeat|late/);
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
    expect(next && findFirstText(next)).toContain('Since last time');
  });

  test('posts nothing if nothing stands out, if the team wants that', async () => {
    await plan(`daily ${at} --zone UTC --vps VPS-10001 --post findings`);
    await passTo(dueMs);
    await untilNextIs(dueMs + dayMs);
    expect(JSON.stringify(await running.slack.messages('C0OPS', 'U0CAROL'))).not.toContain('stands out');
    expect(
      (await running.service.calls()).some(({ path }) => path.endsWith('VPS-10001/monitoring/live')),
    ).toBe(true);
  });

  test('is paused if the key is lost, and its owner is notified', async () => {
    await plan(`daily ${at} --zone UTC --name Morning`);
    await running.service.fault('status:401', { times: 100 });
    await passTo(dueMs);
    const notice = await running.slack.message('Report "Morning" is paused', 'U0ALICE', 'U0ALICE');
    expect(blocksText(notice)).toContain('API key');
  });

  test('can be paused, resumed, run and deleted with the right to operate', async () => {
    await plan(`weekly ${at} --zone UTC --days "mon thu" --vps VPS-1000* --name Fleet`);
    await runCommand(running, 'report pause Fleet', /permission/, bob);
    await runCommand(running, 'report pause Fleet', /"Fleet" is paused/);
    await runCommand(running, 'report pause Fleet', /is already paused/);
    const list = await runCommand(running, 'report list', /One report/, bob);
    expect(readTable(list)[0]).toEqual(
      expect.arrayContaining([
        'Fleet',
        'VPS-1000*',
        expect.stringContaining('Monday and Thursday'),
        'paused',
      ]),
    );
    await runCommand(running, 'report resume Fleet', /"Fleet" is active again/);
    await runCommand(running, 'report resume Fleet', /isn't paused/);
    await running.slack.slash('report run Fleet');
    expect(readTable(await running.slack.message(/of 9 need/, 'U0ALICE', 'U0ALICE'))).toHaveLength(9);
    await runCommand(running, 'report delete Fleet', /"Fleet" was deleted/);
    await runCommand(running, 'report delete Fleet', /There's no report named "Fleet" here/);
    await runCommand(running, 'report list', /There are no scheduled reports/);
  });
});

describe('report add', () => {
  test('says what is wrong', async () => {
    for (const [words, problem] of [
      ['cron --cron "* * * * *"', /at most once every 15 minutes/],
      ['cron --cron "0 0 31 2 *"', /never runs/],
      ['cron', /five parts/],
      ['daily 25:00', /from 00:00 to 23:59/],
      ['daily --zone Europe/Berln', /did you mean Europe\/Berlin/],
      ['monthly --day 32', /1 to 31/],
      ['weekly --days someday', /days of the week/],
      ['daily --vps VPS-9*', /No VPS matches VPS-9\*/],
      ['daily --channel #quiet', /can't post in that channel/],
      ['sometimes', /how often/],
    ] as const) {
      await plan(words, problem);
    }
    await runCommand(running, 'report list', /There are no scheduled reports/);
  });
});

describe('a fleet that is too large for a table', () => {
  const fleetOf = async (vpsCount: number, windowMs: number) => {
    await running.close();
    running = await startStack({
      clock,
      hosting: { now: createQuietWednesdayClock().now, windowMs, vpsCount },
    });
  };
  const messageOf = (matching: RegExp, channel: string, user: string) =>
    eventually(
      async () => {
        const seen = await running.slack.messages(channel, user);
        const found = seen.find(({ text, files }) => matching.test(`${text} ${JSON.stringify(files)}`));
        if (!found) throw new Error(`there is no ${matching}: ${seen.map(({ text }) => text).join(' | ')}`);
        return found;
      },
      { timeoutMs: 50_000, intervalMs: 100 },
    );

  test('has all its rows in a file: in the thread of a scheduled report, and for a requested one', async () => {
    await fleetOf(105, 200);
    await plan(`daily ${at} --zone UTC --name Fleet`);
    await passTo(dueMs);
    const post = await messageOf(/of 105 need/, 'C0OPS', 'U0CAROL');
    expect(blocksText(post)).toContain('of 105; the attached file has all');
    expect(readTable(post).length).toBeGreaterThan(50);
    const file = await messageOf(/Fleet\.csv/, 'C0OPS', 'U0CAROL');
    expect(file.thread_ts).toBe(post.ts);

    await running.slack.slash('report run');
    await messageOf(/of 105 need/, 'U0ALICE', 'U0ALICE');
    await messageOf(/"Fleet\.csv"/, 'U0ALICE', 'U0ALICE');
  });
});
