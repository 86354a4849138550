import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHostingSandbox, type HostingSandbox } from '../src/sandbox/hosting/sandbox.ts';
import { createSlackSandbox, type SlackSandbox } from '../src/sandbox/slack/sandbox.ts';
import { type CrashingApp, type CrashPoint, startCrashingApp } from './crash-process.ts';
import { manifestPath, type SlackMessage, serviceControl, slackControl, textOf } from './stack.ts';

const minuteMs = 60_000;

/** The moments between the claim of a run and its settlement, and beyond, as the database sees them. */
const moment = {
  claimed: { when: 'after', sql: 'insert into "run"' },
  shown: { when: 'after', sql: 'update "run" set "shown"' },
  queued: { when: 'after', sql: 'update "run" set "status"', first: 'queued' },
  sent: { when: 'after', sql: 'update "run" set "status"', first: 'sent' },
  answered: { when: 'before', sql: 'update "run" set "status"', first: 'done' },
  settled: { when: 'after', sql: 'update "run" set "status"', first: 'done' },
  refused: { when: 'after', sql: 'update "run" set "status"', first: 'refused' },
  asking: { when: 'after', sql: 'update "run" set "approval_cards" = ?, "shown"' },
  posted: { when: 'before', sql: 'update "run" set "approval_cards" = ?, "owner"' },
  asked: { when: 'after', sql: 'update "run" set "approval_cards" = ?, "owner"' },
} as const satisfies Record<string, CrashPoint>;

const directory = mkdtempSync(join(tmpdir(), 'rackhand-crash-'));
const file = join(directory, 'rackhand.db');
let [hosting, slackSandbox]: [HostingSandbox?, SlackSandbox?] = [];
let slack: ReturnType<typeof slackControl>;
let service: ReturnType<typeof serviceControl>;
let app: CrashingApp;
let start: () => Promise<void>;
let aheadMs = 0;

beforeAll(async () => {
  hosting = await createHostingSandbox({ port: 0 });
  slackSandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
  [slack, service] = [slackControl(slackSandbox.url), serviceControl(hosting.url)];
  // Its quota is the app's affair here, whose clock leaps ahead of the service's.
  await service.addKey('a-generous-key', { quota: 1000 });
  const settings = {
    SLACK_BOT_TOKEN: 'xoxb-sandbox-acme',
    SLACK_APP_TOKEN: 'xapp-sandbox',
    SLACK_API_URL: `${slackSandbox.url}/api/`,
    HOSTING_API_URL: hosting.url,
    HOSTING_API_KEY: 'a-generous-key',
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    DATABASE_URL: `sqlite:${file}`,
    PORT: '0',
  };
  start = async () => {
    app = await startCrashingApp({ ...settings, CRASH_AHEAD_MS: String(aheadMs) });
  };
  await start();
});

afterAll(async () => {
  await app?.kill();
  await slackSandbox?.close();
  await hosting?.close();
  rmSync(directory, { recursive: true });
});

/** Starts the app again, so much later. */
async function restart(laterMs = 0): Promise<void> {
  aheadMs += laterMs;
  await start();
}

async function cardFor(vps: string): Promise<SlackMessage> {
  await slack.slash(`reboot ${vps}`);
  return slack.message(`Reboot ${vps}?`);
}

/** How often something was to be changed about a VPS. */
async function changes(vps: string): Promise<number> {
  return (await service.changes()).filter(({ path }) => path.includes(`/${vps}/`)).length;
}

/** Everything that somebody is told of a VPS in the channel. */
async function toldOf(vps: string): Promise<string[]> {
  return (await slack.messages()).map(({ text }) => text).filter((text) => text.includes(vps));
}

/** Every word to somebody that their request has lapsed. */
async function toldOfLapses(): Promise<readonly SlackMessage[]> {
  return (await slack.messages()).filter(({ text }) => text.includes('This request has lapsed'));
}

describe('a process that is killed', () => {
  test('when a question was claimed: the asker is told to ask again', async () => {
    await app.diesAt(moment.claimed, () => slack.slash('show VPS-10012'));
    await restart();
    await slack.message('Rackhand was restarted before it could answer');
    expect(await changes('VPS-10012')).toBe(0);
  });

  test('when a question was answered, before the asker read it: they are told to ask again', async () => {
    await app.diesAt(moment.settled, () => slack.slash('show VPS-10012'));
    await restart();
    await slack.message('Rackhand was restarted before its answer came to you');
  });

  test('when a change was claimed, before its card was shown: it lapses, and the asker is told', async () => {
    await app.diesAt(moment.claimed, () => slack.slash('reboot VPS-10001'));
    await restart(11 * minuteMs);
    await slack.message('This request has lapsed');
    expect(await changes('VPS-10001')).toBe(0);
  });

  test('when the card was about to be shown: the card never comes, the run lapses, and the asker is told', async () => {
    const lapses = async () => (await toldOfLapses()).length;
    const before = await lapses();
    await app.diesAt(moment.shown, () => slack.slash('reboot VPS-10002'));
    await restart(11 * minuteMs);
    await expect.poll(lapses).toBe(before + 1);
    expect(await changes('VPS-10002')).toBe(0);
  });

  test('while a card waits: the card works on, once', async () => {
    const card = await cardFor('VPS-10003');
    await app.kill();
    await restart();
    await Promise.allSettled([1, 2, 3].map(() => slack.click(card, 'confirm')));
    await slack.message('Reboot VPS-10003: 🔄 Under way');
    expect(await changes('VPS-10003')).toBe(1);
  });

  test('when the run was queued: the next one sends it, once', async () => {
    const card = await cardFor('VPS-10004');
    await app.diesAt(moment.queued, () => slack.click(card, 'confirm'));
    expect(await changes('VPS-10004')).toBe(0);
    await restart();
    await slack.message('Reboot VPS-10004: 🔄 Under way');
    expect(await changes('VPS-10004')).toBe(1);
  });

  test('when the run was queued, and nobody starts it again in time: it is not sent', async () => {
    const card = await cardFor('VPS-10005');
    await app.diesAt(moment.queued, () => slack.click(card, 'confirm'));
    await restart(6 * minuteMs);
    await slack.message('Reboot VPS-10005: 💤 Not run');
    expect(await changes('VPS-10005')).toBe(0);
  });

  test('when it was marked as sent, before the bytes: it is not sent again', async () => {
    const card = await cardFor('VPS-10006');
    await app.diesAt(moment.sent, () => slack.click(card, 'confirm'));
    await restart();
    const told = await slack.message('Reboot VPS-10006: ❓ Outcome unknown');
    expect(textOf(told)).toContain('running');
    expect(await changes('VPS-10006')).toBe(0);
  });

  test('during the call: it is not sent again', async () => {
    const card = await cardFor('VPS-10007');
    await service.fault('timeout', { method: 'POST' });
    await slack.click(card, 'confirm');
    await expect.poll(() => changes('VPS-10007')).toBe(1);
    await app.kill();
    await restart();
    await slack.message('Reboot VPS-10007: ❓ Outcome unknown');
    expect(await toldOf('VPS-10007')).toHaveLength(1);
    expect(await changes('VPS-10007')).toBe(1);
  });

  test('when it was answered, before that was kept: it is not sent again', async () => {
    const card = await cardFor('VPS-10008');
    await app.diesAt(moment.answered, () => slack.click(card, 'confirm'));
    await restart();
    await slack.message('Reboot VPS-10008: ❓ Outcome unknown');
    expect(await changes('VPS-10008')).toBe(1);
  });

  test('when it was settled, before anybody was told: the next one tells it', async () => {
    await app.diesAt(moment.settled, () => slack.slash('snapshot create VPS-10009 last'));
    await restart();
    await slack.message('Take snapshot last of VPS-10009: ✅ Done');
    expect(await toldOf('VPS-10009')).toHaveLength(1);
    expect(await changes('VPS-10009')).toBe(1);
  });
});

describe('a process that is killed while a second person is asked', () => {
  beforeAll(async () => {
    await app.kill();
    // So much later the quota is a new one.
    await restart(2 * minuteMs);
    for (const text of [
      'access grant @bob change',
      'access grant @carol change',
      'approval require disturb --channel #C0GENERAL',
    ]) {
      await slack.slash(text);
    }
    await slack.message('From now on a second person approves');
  });

  const secondCard = (vps: string) =>
    slack.message(`Reboot ${vps}: a second person is asked`, 'C0GENERAL', 'U0BOB');
  const press = (card: SlackMessage, user: string) =>
    slack.click(card, 'approve', { user, channel: 'C0GENERAL' });

  test('before anybody is asked: it is not run, and the asker is told', async () => {
    const card = await cardFor('VPS-10001');
    await app.diesAt(moment.asking, () => slack.click(card, 'confirm'));
    await restart();
    await slack.message('Reboot VPS-10001: 💤 Not run');
    expect(await changes('VPS-10001')).toBe(0);
  });

  test('before it is kept where: it is not run, the asker is told, and so is who presses the card', async () => {
    const card = await cardFor('VPS-10002');
    await app.diesAt(moment.posted, () => slack.click(card, 'confirm'));
    await restart();
    await slack.message('Reboot VPS-10002: 💤 Not run');
    await press(await secondCard('VPS-10002'), 'U0BOB');
    await slack.message('This request has lapsed', 'C0GENERAL', 'U0BOB');
    expect(await changes('VPS-10002')).toBe(0);
  });

  test('once that is kept: the card works on, once', async () => {
    const card = await cardFor('VPS-10010');
    await app.diesAt(moment.asked, () => slack.click(card, 'confirm'));
    await restart();
    const second = await secondCard('VPS-10010');
    await Promise.allSettled([press(second, 'U0BOB'), press(second, 'U0CAROL'), press(second, 'U0BOB')]);
    await slack.message('Reboot VPS-10010: 🔄 Under way');
    expect(await changes('VPS-10010')).toBe(1);
  });

  test('once it is approved: the next one sends it, once, and closes the card', async () => {
    const card = await cardFor('VPS-10011');
    await slack.click(card, 'confirm');
    const second = await secondCard('VPS-10011');
    await app.diesAt(moment.queued, () => press(second, 'U0BOB'));
    await restart();
    await slack.message('Reboot VPS-10011: 🔄 Under way');
    await slack.message('Reboot VPS-10011: decided', 'C0GENERAL', 'U0BOB');
    expect(await changes('VPS-10011')).toBe(1);
  });

  test('once it is declined, before anybody was told: the next one tells it, and closes the card', async () => {
    const card = await cardFor('VPS-10012');
    await slack.click(card, 'confirm');
    const second = await secondCard('VPS-10012');
    await app.diesAt(moment.refused, () =>
      slack.click(second, 'decline', { user: 'U0BOB', channel: 'C0GENERAL' }),
    );
    await restart();
    await slack.message('Reboot VPS-10012: 🚫 Refused');
    await slack.message('Reboot VPS-10012: decided', 'C0GENERAL', 'U0BOB');
  });
});

test('in the end no run is without an end', async () => {
  await app.kill();
  await restart(16 * minuteMs);
  await app.kill();
  const database = new DatabaseSync(file);
  const open = database
    .prepare("select operation, target, status from run where status in ('waiting', 'queued', 'sent')")
    .all();
  database.close();
  expect(open).toEqual([]);
  await start();
});
