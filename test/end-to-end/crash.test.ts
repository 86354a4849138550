import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sandboxLabel } from '../sandbox-fleet.ts';
import { type Sandboxes, startSandboxes } from '../sandboxes.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';
import { toTextValue } from '../slack/modals/form/form-driver.ts';
import { blocksText, type SlackMessage } from '../stack.ts';
import { type CrashableApp, crashPoints, createSandboxSettings, startCrashableApp } from './crash-process.ts';

// What a killed process leaves behind, state by state, is in `test/runs/interrupted-runs.test.ts` and
// `test/runs/recovery/`. Here, real processes are killed at the moments that decide what is sent.

const directory = makeScratchDirectory('crash');
const file = join(directory, 'rackhand.db');
let sandboxes: Sandboxes;
let slack: Sandboxes['slack'];
let service: Sandboxes['service'];
let settings: ReturnType<typeof createSandboxSettings>;
let app: CrashableApp;
let clockOffsetMs = 0;

/** Starts the app with its clock set further ahead: by default so that the quota's window is empty. */
async function start(laterMs = 61_000): Promise<void> {
  clockOffsetMs += laterMs;
  app = await startCrashableApp({ ...settings, CRASH_AHEAD_MS: String(clockOffsetMs) });
}

beforeAll(async () => {
  sandboxes = await startSandboxes();
  ({ slack, service } = sandboxes);
  // A generous quota, because the app's clock runs ahead of the sandbox's.
  const apiKey = 'a-generous-key';
  await service.addKey(apiKey, { quota: 1000 });
  const urls = { slackUrl: slack.url, hostingUrl: service.url };
  settings = createSandboxSettings({ ...urls, databaseUrl: `sqlite:${file}`, apiKey });
  await start();
});

afterAll(async () => {
  await app?.kill();
  await sandboxes?.close();
});

beforeEach(async () => {
  if (app.hasEnded()) await start();
  await service.cancelFaults();
  earlierChanges = (await service.changes()).length;
  earlierMessages = new Set((await slack.messages()).map(({ ts }) => ts));
});

// Only what has happened since the test began counts.
let earlierChanges = 0;
let earlierMessages = new Set<string>();

/** The messages that were posted, as a person sees them in the channel. */
async function newMessages(): Promise<SlackMessage[]> {
  return (await slack.messages()).filter(({ ts }) => !earlierMessages.has(ts));
}

async function openConfirmation(vps: string): Promise<SlackMessage> {
  await slack.slash(`reboot ${vps}`);
  return slack.message(`Reboot ${sandboxLabel(vps)}?`);
}

/** Number of changing calls for a VPS. */
async function countChanges(vps: string): Promise<number> {
  const changes = (await service.changes()).slice(earlierChanges);
  return changes.filter(({ path }) => path.includes(`/${vps}/`)).length;
}

/** Waits for the new message of a reboot that the service has accepted, and that can be done already. */
const acceptedReboot = (vps: string) =>
  slack.untilSeen(async () => {
    const accepted = new RegExp(`^Reboot \\S+ \\(${vps}\\): (🔄 In progress|✅ Done)`);
    expect((await newMessages()).map(({ text }) => text)).toContainEqual(expect.stringMatching(accepted));
  });

/** Lists stored runs by an SQL condition. */
function listRuns(condition: string): readonly unknown[] {
  const database = new DatabaseSync(file);
  const rows = database.prepare(`select operation, target, status from run where ${condition}`).all();
  database.close();
  return rows;
}

/** Returns whether the message of a change is known to be in Slack. */
function isPosted(vps: string): boolean {
  const database = new DatabaseSync(file);
  const row = database
    .prepare("select 1 from message where kind = 'run' and ts is not null and about like ?")
    .get(`%${vps}%`);
  database.close();
  return row !== undefined;
}

test('when the run was queued: the next process sends it, once', async () => {
  const card = await openConfirmation('VPS-10004');
  await app.diesAt(crashPoints.queued, () => slack.click(card, 'confirm'));
  expect(await countChanges('VPS-10004')).toBe(0);
  await start();
  await acceptedReboot('VPS-10004');
  expect(await countChanges('VPS-10004')).toBe(1);
});

test('when the run was marked as sent, before the call left: it is not sent again', async () => {
  const card = await openConfirmation('VPS-10006');
  await app.diesAt(crashPoints.sent, () => slack.click(card, 'confirm'));
  await start();
  const message = await slack.message('Reboot db-02 (VPS-10006): ❓ Outcome unknown');
  expect(blocksText(message)).toContain('running');
  expect(await countChanges('VPS-10006')).toBe(0);
});

test('while an open card, a call, a batch and a snapshot before a change are under way: none is lost, and none is sent twice', async () => {
  const card = await openConfirmation('VPS-10003');

  const reinstall = 'Reinstall web-02 (VPS-10002) with debian-13';
  await slack.slash('reinstall VPS-10002 --os debian-13');
  await slack.click(await slack.message(`${reinstall}?`), 'Snapshot First…');
  await slack.submit(await slack.modal(), { typed: toTextValue('VPS-10002') });
  await expect.poll(() => countChanges('VPS-10002')).toBe(1);

  for (const vps of ['VPS-10005', 'VPS-10007']) {
    await service.fault('timeout', { method: 'POST', path: `/v1/vps/${vps}/action` });
  }
  await slack.slash('reboot VPS-10005 VPS-10010');
  await slack.click(await slack.message('Reboot 2 VPS?'), 'confirm');
  const inBatch = () => Promise.all(['VPS-10005', 'VPS-10010'].map(countChanges));
  await expect.poll(inBatch).toEqual([1, 1]);

  await slack.click(await openConfirmation('VPS-10007'), 'confirm');
  await expect.poll(() => countChanges('VPS-10007')).toBe(1);
  // Otherwise the next process posts another message.
  await expect.poll(() => isPosted('VPS-10007')).toBe(true);
  await app.kill();

  await start();
  await Promise.allSettled([1, 2, 3].map(() => slack.click(card, 'confirm')));
  const ends = [
    /^Reboot api-01 \(VPS-10003\): (🔄 In progress|✅ Done)/,
    /^Reboot cache-01 \(VPS-10007\): ❓ Outcome unknown/,
    /^Reboot 2 VPS: (❓ Outcome unknown|❌ Failed)/,
    /^Reinstall web-02 \(VPS-10002\) with debian-13: ✅ Done/,
  ];
  await slack.untilSeen(async () => {
    const texts = (await newMessages()).map(({ text }) => text);
    for (const end of ends) expect(texts).toContainEqual(expect.stringMatching(end));
  });
  expect(await inBatch()).toEqual([1, 1]);
  expect(await Promise.all(['VPS-10003', 'VPS-10007', 'VPS-10002'].map(countChanges))).toEqual([1, 1, 2]);
});

test('in the end every run is settled', async () => {
  await app.kill();
  await start(16 * 60_000);
  await app.kill();
  expect(listRuns("status in ('waiting', 'queued', 'sent')")).toEqual([]);
});
