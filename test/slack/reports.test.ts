import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { createManualClock, type ManualClock } from '../reports/schedule/manual-clock.ts';
import { granted, type RunningStack, type SlackMessage, startStack, textOf } from '../stack.ts';
import { ask, bob, buttonsOf, tableOf } from './history-acts.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

let running: RunningStack;
let clock: ManualClock;

/** 14 minutes from now, so that all that is needed to make a report has time. */
let dueMs: number;
let at: string;

beforeEach(async () => {
  const nowMs = Date.now();
  clock = createManualClock(nowMs);
  dueMs = Math.ceil(nowMs / minuteMs) * minuteMs + 14 * minuteMs;
  at = new Date(dueMs).toISOString().slice(11, 16);
  running = await startStack({ clock });
});
afterEach(() => running.close());

/** Lets time pass, timer by timer; what one has begun may set another that has passed by then. */
async function passTo(untilMs: number): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await clock.advanceTo(untilMs, () => new Promise((resolve) => setImmediate(resolve)));
  }
}

/** What Carol sees in the channel: what is for everybody there. */
const inChannel = (matching: RegExp, channel = 'C0OPS') =>
  running.slack.message(matching, channel, 'U0CAROL');

const headOf = ({ blocks }: SlackMessage) => {
  const rows = blocks.find(({ type }) => type === 'table')?.rows;
  return JSON.stringify(Array.isArray(rows) ? rows[0] : []);
};

const plan = (words: string, answer = /^The report .+ is planned$/) =>
  ask(running, `report add ${words}`, answer);

/** Waits until the list tells this as the next time of its only report. */
const untilNextIs = (nextMs: number) =>
  eventually(
    async () =>
      expect(textOf(await ask(running, 'report list', /One report/))).toContain(String(nextMs / 1_000)),
    { everyMs: 50 },
  );

describe('report run', () => {
  test('summarizes the fleet for the asker, with a picture of it, and looks into what stands out', async () => {
    await running.slack.slash('report run');
    const message = await running.slack.message(/2 of 12 need a look/, 'U0ALICE', 'U0ALICE');
    expect(message.text).toContain('VPS-10004 CPU');
    const types = message.blocks.map(({ type }) => type);
    expect(types.indexOf('image')).toBeGreaterThan(types.indexOf('table'));
    // What the picture shows stands in its alternative text, not beside it too.
    expect(textOf(message).match(/Highest: /g)).toHaveLength(1);
    expect(tableOf(message)).toHaveLength(12);
    expect(tableOf(message)[0]?.[0]).toMatch(/^⚠ VPS-/);
    expect(buttonsOf(message)).toContain('Graph VPS-10004');
    const paths = (await running.service.calls()).map(({ path }) => path);
    expect(paths.filter((path) => path.includes('/monitoring/'))).toHaveLength(36);
  });

  test('summarizes some VPS, in the channel', async () => {
    await running.slack.slash('report run --vps VPS-1000* --public');
    expect(tableOf(await inChannel(/of 9 need/))).toHaveLength(9);
  });

  test('names what could not be read, and does the rest', async () => {
    await running.service.fault('status:500', { times: 3, path: '/v1/vps/VPS-10003/monitoring/live' });
    await running.slack.slash('report run --vps VPS-10003');
    const message = await running.slack.message(/VPS/, 'U0ALICE', 'U0ALICE');
    expect(textOf(message)).toContain('Live data of VPS-10003 could not be read');
    expect(tableOf(message)).toHaveLength(1);
  });

  test('says that nothing is meant by a pattern, or called so', async () => {
    await ask(running, 'report run --vps VPS-9*', /No VPS is called like VPS-9\*/);
    await ask(running, 'report run --vps VPS-10001,VPS-9*', /No VPS is called like VPS-9\*/);
    await ask(running, 'report run Weekly', /no report called "Weekly"/);
  });
});

describe('report run, for who may look at some', () => {
  test('tells of these alone', async () => {
    await running.close();
    running = await startStack({
      grants: [{ grantee: 'U0BOB', right: 'look', pattern: 'VPS-10001' }, ...granted('look', 'U0CAROL')],
    });
    await running.slack.slash('report run', bob);
    const message = await running.slack.message(/VPS-10001/, 'U0BOB', 'U0BOB');
    expect(tableOf(message)).toHaveLength(1);
    expect(textOf(message)).toContain('There may be more VPS than these');
    expect(textOf(message)).not.toContain('VPS-10004');
    await ask(running, 'report list', /may not|right/, bob);
  });
});

describe('a planned report', () => {
  test('is told with its next three times, comes when it is due, and once', async () => {
    const planned = await plan(`daily ${at} --zone UTC --name "Every morning"`);
    expect(textOf(planned)).toContain(`Every day at ${at}, UTC`);
    expect(textOf(planned).match(/(Next|Then): /g)).toHaveLength(3);
    await inChannel(/A report is planned for this channel, "Every morning"/);

    await passTo(dueMs - 1);
    await eventually(async () =>
      expect((await running.service.calls()).filter(({ path }) => path.endsWith('/live'))).toHaveLength(12),
    );
    expect(JSON.stringify(await running.slack.messages('C0OPS', 'U0CAROL'))).not.toContain('need a look');

    await passTo(dueMs);
    const post = await inChannel(/2 of 12 need a look/);
    expect(post.blocks.map(({ type }) => type)).toContain('image');
    expect(tableOf(post)).toHaveLength(12);
    expect(headOf(post)).not.toContain('Since last time');
    expect(textOf(post)).toContain('Every morning: Every day at');
    expect(textOf(post)).not.toMatch(/repeat|late/);
    expect(post.pings).toEqual([]);
    const thread = await inChannel(/VPS-10012: stopped/);
    expect(thread.thread_ts).toBe(post.ts);
    expect(buttonsOf(thread)).toEqual(['Graph', 'Show', 'Mute for a Day', 'Graph', 'Show', 'Mute for a Day']);

    await untilNextIs(dueMs + dayMs);
    const next = await eventually(async () => {
      // What a timer has begun may set the next one only after the time has passed.
      await passTo(dueMs + dayMs);
      const posts = (await running.slack.messages('C0OPS', 'U0CAROL')).filter(({ text }) =>
        /of 12 need/.test(text),
      );
      expect(posts).toHaveLength(2);
      return posts[1];
    });
    expect(next && headOf(next)).toContain('Since last time');
  });

  test('stays quiet where nothing stands out, if the team wishes', async () => {
    await plan(`daily ${at} --zone UTC --vps VPS-10001 --post standout`);
    await passTo(dueMs);
    await untilNextIs(dueMs + dayMs);
    expect(JSON.stringify(await running.slack.messages('C0OPS', 'U0CAROL'))).not.toContain(
      'stands out among',
    );
    expect(
      (await running.service.calls()).some(({ path }) => path.endsWith('VPS-10001/monitoring/live')),
    ).toBe(true);
  });

  test('rests where its channel is archived, and whoever planned it is told', async () => {
    await plan(`daily ${at} --zone UTC --channel #general --name Morning`);
    const archive = { team: 'T0ACME', user: 'U0ALICE', channel: 'C0GENERAL', command: '/archive', text: '' };
    await running.slack.act('slash', archive);
    await passTo(dueMs);
    const told = await running.slack.message('The report "Morning" rests', 'U0ALICE', 'U0ALICE');
    expect(textOf(told)).toContain('archived');
    expect(buttonsOf(told)).toEqual(['Resume', 'Edit', 'Reports']);
    const list = await ask(running, 'report list', /One report/);
    expect(tableOf(list)[0]).toContain('rests');
  });

  test('rests where the key is lost, and whoever planned it is told', async () => {
    await plan(`daily ${at} --zone UTC --name Morning`);
    await running.service.fault('status:401', { times: 100 });
    await passTo(dueMs);
    const told = await running.slack.message('The report "Morning" rests', 'U0ALICE', 'U0ALICE');
    expect(textOf(told)).toContain('API key');
  });

  test('can be paused, resumed, run and deleted, by who may change', async () => {
    await plan(`weekly ${at} --zone UTC --days "mon thu" --vps VPS-1000* --name Fleet`);
    await ask(running, 'report pause Fleet', /may not|right/, bob);
    await ask(running, 'report pause Fleet', /"Fleet" rests/);
    await ask(running, 'report pause Fleet', /rests already/);
    const list = await ask(running, 'report list', /One report/, bob);
    expect(tableOf(list)[0]).toEqual(
      expect.arrayContaining(['Fleet', 'VPS-1000*', expect.stringContaining('Monday and Thursday'), 'rests']),
    );
    await ask(running, 'report resume Fleet', /"Fleet" comes again/);
    await ask(running, 'report resume Fleet', /does not rest/);
    await running.slack.slash('report run Fleet');
    expect(tableOf(await running.slack.message(/of 9 need/, 'U0ALICE', 'U0ALICE'))).toHaveLength(9);
    await ask(running, 'report delete Fleet', /"Fleet" is deleted/);
    await ask(running, 'report delete Fleet', /no report called "Fleet"/);
    await ask(running, 'report list', /No reports are planned/);
  });
});

describe('report add', () => {
  test.each([
    ['cron --cron "* * * * *"', /more often than every 15 minutes/],
    ['cron --cron "0 0 31 2 *"', /never comes/],
    ['cron', /five parts/],
    ['daily 25:00', /hours and minutes/],
    ['daily --zone Europe/Berln', /did you mean Europe\/Berlin/],
    ['monthly --day 32', /1 to 31/],
    ['weekly --days someday', /days of the week/],
    ['daily --vps VPS-9*', /No VPS is called like VPS-9\*/],
    ['daily --channel #quiet', /cannot speak in that channel/],
    ['sometimes', /how often/],
  ])('says what is wrong with %s', async (words, problem) => {
    await plan(words, problem);
    await ask(running, 'report list', /No reports are planned/);
  });

  test('takes a name once, and makes up others', async () => {
    await plan('daily');
    await plan('daily', /"Fleet, daily 2" is planned/);
    await plan('daily --name "Fleet, daily"', /called "Fleet, daily" already/);
  });

  test('is for who may change', async () => {
    await ask(running, 'report add daily', /may not|right/, bob);
  });
});

describe('a fleet of more than a table holds', () => {
  const fleetOf = async (vpsCount: number, windowMs: number) => {
    await running.close();
    running = await startStack({ clock, hosting: { windowMs, vpsCount } });
  };
  test('has room for no report that is resumed after others have taken it', async () => {
    await fleetOf(120, 60_000);
    const often = 'cron --cron "*/15 * * * *" --name';
    await plan(`${often} One`);
    await ask(running, 'report pause One', /"One" rests/);
    await plan(`${often} Two`);
    await ask(running, 'report resume One', /needs 361 calls.+beside 24 for the other reports/);
    await ask(running, 'report delete Two', /is deleted/);
    await ask(running, 'report resume One', /"One" comes again/);
  });

  const messageOf = (matching: RegExp, channel: string, user: string) =>
    eventually(
      async () => {
        const seen = await running.slack.messages(channel, user);
        const found = seen.find(({ text, files }) => matching.test(`${text} ${JSON.stringify(files)}`));
        if (!found) throw new Error(`there is no ${matching}: ${seen.map(({ text }) => text).join(' | ')}`);
        return found;
      },
      { atMostMs: 25_000, everyMs: 100 },
    );

  test('has all of its rows in a file: in the thread of a report that comes, and for who asks', async () => {
    await fleetOf(105, 1_000);
    await plan(`daily ${at} --zone UTC --name Fleet`);
    await passTo(dueMs);
    const post = await messageOf(/of 105 need/, 'C0OPS', 'U0CAROL');
    expect(textOf(post)).toContain('of 105; the attached file has all');
    expect(tableOf(post).length).toBeGreaterThan(50);
    const file = await messageOf(/Fleet\.csv/, 'C0OPS', 'U0CAROL');
    expect(file.thread_ts).toBe(post.ts);

    await running.slack.slash('report run');
    await messageOf(/of 105 need/, 'U0ALICE', 'U0ALICE');
    await messageOf(/"Fleet\.csv"/, 'U0ALICE', 'U0ALICE');
  }, 60_000);

  test('is not reported on while somebody waits for longer than a run may take', async () => {
    await fleetOf(400, minuteMs);
    await ask(running, 'report run', /needs 1201 calls, which take 32 minutes/);
  });
});
