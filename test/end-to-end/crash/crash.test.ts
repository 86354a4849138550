import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sandboxLabel } from '../../sandbox-fleet.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { toTextValue } from '../../slack/modals/form/form-driver.ts';
import { blocksText, type SlackMessage } from '../../stack.ts';
import { type CrashableApp, crashPoints, startCrashableApp } from '../crash-process.ts';
import { createCrashDriver, interruptedText, type Sandboxes, startSandboxes } from './crash-driver.ts';

const minuteMs = 60_000;

const directory = makeScratchDirectory('crash');
const file = join(directory, 'rackhand.db');
let sandboxes: Sandboxes;
let slack: Sandboxes['slack'];
let service: Sandboxes['service'];
let app: CrashableApp;
let start: () => Promise<void>;
let clockOffsetMs = 0;

beforeAll(async () => {
  sandboxes = await startSandboxes(`sqlite:${file}`);
  const { settings } = sandboxes;
  ({ slack, service } = sandboxes);
  start = async () => {
    app = await startCrashableApp({ ...settings, CRASH_AHEAD_MS: String(clockOffsetMs) });
  };
  await start();
});

afterAll(async () => {
  await app?.kill();
  await sandboxes?.close();
  rmSync(directory, { recursive: true });
});

beforeEach(async ({ task }) => {
  // A failed attempt can leave a crash point behind.
  if (task.result?.retryCount) await app.kill();
  if (app.hasEnded()) await restart();
  await service.cancelFaults();
  await startAnew();
});

const {
  startAnew,
  openConfirmation,
  countChanges,
  newMessages,
  messagesAbout,
  acceptedReboot,
  countInterruptionNotices,
} = createCrashDriver(() => ({ slack, service }));

/** Lists stored runs by an SQL condition. */
function listRuns(condition: string): readonly unknown[] {
  const database = new DatabaseSync(file);
  const rows = database.prepare(`select operation, target, status from run where ${condition}`).all();
  database.close();
  return rows;
}

const makeReadsSlow = () => service.fault('slow:1000', { method: 'GET', times: 20 });

/** Restarts the app with its clock set ahead. */
async function restart(laterMs = 0): Promise<void> {
  clockOffsetMs += laterMs;
  await start();
}

describe('a process that is killed', () => {
  test('when a read was claimed: its actor is notified that it was lost', async () => {
    await makeReadsSlow();
    await app.diesAt(crashPoints.claimed, () => slack.slash('show VPS-10012'));
    await restart();
    await slack.message('Rackhand restarted before it could reply');
    expect(await countChanges('VPS-10012')).toBe(0);
  });

  test('when a read was settled, before its reply was posted: its actor is notified that it was lost', async () => {
    await makeReadsSlow();
    await app.diesAt(crashPoints.settled, () => slack.slash('show VPS-10012'));
    await restart();
    await slack.message('before you got the reply');
  });

  test('when a change was claimed, before its card was posted: its actor is notified at once', async () => {
    await app.diesAt(crashPoints.claimed, () => slack.slash('reboot VPS-10001'));
    await restart();
    await slack.message(interruptedText);
    expect(await countChanges('VPS-10001')).toBe(0);
  });

  test('when the card was about to be posted: it is never posted, and its actor is notified at once', async () => {
    await app.diesAt(crashPoints.shown, () => slack.slash('reboot VPS-10002'));
    await restart();
    await expect.poll(countInterruptionNotices).toBe(1);
    expect(await countChanges('VPS-10002')).toBe(0);
  });

  test('while a card is open: the card still works, once', async () => {
    const card = await openConfirmation('VPS-10003');
    // Slack shows the card before Rackhand knows that it was posted.
    await expect.poll(() => listRuns("status = 'waiting' and owner is null")).toHaveLength(1);
    await app.kill();
    await restart();
    await Promise.allSettled([1, 2, 3].map(() => slack.click(card, 'confirm')));
    await acceptedReboot('VPS-10003');
    expect(await countChanges('VPS-10003')).toBe(1);
  });

  test('when the run was queued: the next process sends it, once', async () => {
    const card = await openConfirmation('VPS-10004');
    await app.diesAt(crashPoints.queued, () => slack.click(card, 'confirm'));
    expect(await countChanges('VPS-10004')).toBe(0);
    await restart();
    await acceptedReboot('VPS-10004');
    expect(await countChanges('VPS-10004')).toBe(1);
  });

  test('when the run was queued, and no process starts in time: it is not sent', async () => {
    const card = await openConfirmation('VPS-10005');
    await app.diesAt(crashPoints.queued, () => slack.click(card, 'confirm'));
    await restart(6 * minuteMs);
    await slack.message('Reboot db-01 (VPS-10005): 💤 Not run');
    expect(await countChanges('VPS-10005')).toBe(0);
  });

  test("when the run was queued, and the next version can't read it: it is set aside, and the message says so", async () => {
    const card = await openConfirmation('VPS-10011');
    await app.diesAt(crashPoints.queued, () => slack.click(card, 'confirm'));
    const database = new DatabaseSync(file);
    database.exec("update run set operation = 'power-cycle' where status = 'queued'");
    database.close();
    await restart();
    const message = await slack.message(`Reboot ${sandboxLabel('VPS-10011')}: 💤 Not run`);
    expect(blocksText(message)).toContain("Rackhand can't read this stored request.");
    expect(blocksText(message)).toContain('Nothing was changed.');
    expect(await countChanges('VPS-10011')).toBe(0);
  });

  test('when the run was marked as sent, before the call left: it is not sent again', async () => {
    const card = await openConfirmation('VPS-10006');
    await app.diesAt(crashPoints.sent, () => slack.click(card, 'confirm'));
    await restart();
    const message = await slack.message('Reboot db-02 (VPS-10006): ❓ Outcome unknown');
    expect(blocksText(message)).toContain('running');
    expect(await countChanges('VPS-10006')).toBe(0);
  });

  test('during the call: the run is not sent again', async () => {
    const card = await openConfirmation('VPS-10007');
    await service.fault('timeout', { method: 'POST' });
    await slack.click(card, 'confirm');
    await expect.poll(() => countChanges('VPS-10007')).toBe(1);
    // Otherwise the next process posts another message.
    await expect.poll(() => listRuns("status = 'sent' and message_ts is not null")).toHaveLength(1);
    // The confirmation card is deleted while the call is on its way. Before that it may be the only message.
    const cardText = `Reboot ${sandboxLabel('VPS-10007')}?`;
    await expect.poll(() => messagesAbout('VPS-10007')).toEqual([expect.not.stringContaining(cardText)]);
    await app.kill();
    await restart();
    await slack.message('Reboot cache-01 (VPS-10007): ❓ Outcome unknown');
    expect(await messagesAbout('VPS-10007')).toHaveLength(1);
    expect(await countChanges('VPS-10007')).toBe(1);
  });

  test('after the response, before the run was settled: it is not sent again', async () => {
    const card = await openConfirmation('VPS-10008');
    await app.diesAt(crashPoints.answered, () => slack.click(card, 'confirm'));
    await restart();
    await slack.message('Reboot files-01 (VPS-10008): ❓ Outcome unknown');
    expect(await countChanges('VPS-10008')).toBe(1);
  });

  test('during a batch: no VPS gets a second call, and its message says which outcome is unknown', async () => {
    const vps = ['VPS-10005', 'VPS-10006'];
    const countAll = () => Promise.all(vps.map(countChanges));
    expect(await countAll()).toEqual([0, 0]);
    await slack.slash(`reboot ${vps.join(' ')}`);
    const card = await slack.message('Reboot 2 VPS?');
    await service.fault('timeout', { method: 'POST', path: '/v1/vps/VPS-10005/action' });
    await slack.click(card, 'confirm');
    await expect.poll(countAll, { timeout: 30_000 }).toEqual([1, 1]);
    await app.kill();
    await restart();
    const message = await slack.message(/Reboot 2 VPS: (❓ Outcome unknown|❌ Failed)/);
    expect(blocksText(message)).toContain('unknown');
    expect(await countAll()).toEqual([1, 1]);
  });

  test('when the run was settled, before that was posted: the next process posts it', async () => {
    // A snapshot's name can be used once.
    const name = `last-${Date.now()}`;
    await app.diesAt(crashPoints.settled, () => slack.slash(`snapshot create VPS-10009 ${name}`));
    await restart();
    await slack.message(/Take snapshot last-\d+ of mail-01 .*(In progress|Done)/);
    expect(await messagesAbout('VPS-10009')).toHaveLength(1);
    expect(await countChanges('VPS-10009')).toBe(1);
  });
});

test('a process that is killed while a snapshot comes first: the next one makes the change, once', async () => {
  const title = 'Reinstall web-02 (VPS-10002) with debian-13';
  await slack.slash('reinstall VPS-10002 --os debian-13');
  await slack.click(await slack.message(`${title}?`), 'Snapshot First…');
  await slack.submit(await slack.modal(), { typed: toTextValue('VPS-10002') });
  await slack.untilSeen(async () => {
    const shown = (await newMessages()).filter(({ text }) => text.startsWith(title)).map(blocksText);
    expect(shown.join()).toMatch(/In progress|is creating/);
  });
  await app.kill();
  await restart();
  await slack.untilSeen(async () =>
    expect((await newMessages()).map(({ text }) => text)).toContain(`${title}: ✅ Done`),
  );
  expect(await countChanges('VPS-10002')).toBe(2);
});

describe('a process that is killed during an approval', () => {
  beforeAll(async () => {
    await app.kill();
    // After two minutes the quota's window is empty.
    await restart(2 * minuteMs);
    for (const text of [
      'access grant @bob operate',
      'access grant @carol operate',
      'approval require disrupt --channel #C0GENERAL',
    ]) {
      await slack.slash(text);
    }
    await slack.message('Approval is now required for');
  });

  const secondCard = (vps: string) =>
    slack.message(`Reboot ${sandboxLabel(vps)}: approval needed`, 'C0GENERAL', 'U0BOB');
  const press = (card: SlackMessage, user: string) =>
    slack.click(card, 'approve', { user, channel: 'C0GENERAL' });

  test('before cards are posted: the run expires, and its actor is notified', async () => {
    const card = await openConfirmation('VPS-10001');
    await app.diesAt(crashPoints.asking, () => slack.click(card, 'confirm'));
    await restart();
    await slack.message('Reboot web-01 (VPS-10001): 💤 Not run');
    expect(await countChanges('VPS-10001')).toBe(0);
  });

  test('before the posted cards are stored: the run expires, and its actor and the person who presses the card are notified', async () => {
    const card = await openConfirmation('VPS-10002');
    await app.diesAt(crashPoints.posted, () => slack.click(card, 'confirm'));
    await restart();
    await slack.message('Reboot web-02 (VPS-10002): 💤 Not run');
    await press(await secondCard('VPS-10002'), 'U0BOB');
    await slack.message('This request has expired', 'C0GENERAL', 'U0BOB');
    expect(await countChanges('VPS-10002')).toBe(0);
  });

  test('after the cards are stored: the card still works, once', async () => {
    const card = await openConfirmation('VPS-10010');
    await app.diesAt(crashPoints.asked, () => slack.click(card, 'confirm'));
    await restart();
    const second = await secondCard('VPS-10010');
    await Promise.allSettled([press(second, 'U0BOB'), press(second, 'U0CAROL'), press(second, 'U0BOB')]);
    await acceptedReboot('VPS-10010');
    expect(await countChanges('VPS-10010')).toBe(1);
  });

  test('after the approval: the next process sends the run, once, and closes the card', async () => {
    const card = await openConfirmation('VPS-10011');
    await slack.click(card, 'confirm');
    const second = await secondCard('VPS-10011');
    await app.diesAt(crashPoints.queued, () => press(second, 'U0BOB'));
    await restart();
    await acceptedReboot('VPS-10011');
    await slack.message('Reboot staging-01 (VPS-10011): decided', 'C0GENERAL', 'U0BOB');
    expect(await countChanges('VPS-10011')).toBe(1);
  });

  test('after a decline, before that was posted: the next process posts it, and closes the card', async () => {
    const card = await openConfirmation('VPS-10012');
    await slack.click(card, 'confirm');
    const second = await secondCard('VPS-10012');
    await app.diesAt(crashPoints.refused, () =>
      slack.click(second, 'decline', { user: 'U0BOB', channel: 'C0GENERAL' }),
    );
    await restart();
    await slack.message('Reboot legacy-01 (VPS-10012): 🚫 Refused');
    await slack.message('Reboot legacy-01 (VPS-10012): decided', 'C0GENERAL', 'U0BOB');
  });
});

test('in the end every run is settled', async () => {
  await app.kill();
  await restart(16 * minuteMs);
  await app.kill();
  expect(listRuns("status in ('waiting', 'queued', 'sent')")).toEqual([]);
  await start();
});
