import { afterAll, beforeAll, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { blocksText, type RunningStack, type SlackMessage, startStack } from '../../stack.ts';
import { runCommand } from '../command-driver.ts';
import { advanceMinutes, advanceUntil } from './watch-driver.ts';

let running: RunningStack;
let clock: ManualClock;

beforeAll(async () => {
  clock = createManualClock(Date.now());
  running = await startStack({ clock, hosting: { windowMs: 250, vpsCount: 4 } });
});
afterAll(() => running.close());

test('an alert says that its user group is gone, and so does the escalation', async () => {
  for (let vps = 10_001; vps <= 10_004; vps += 1) await running.service.load(`VPS-${vps}`, { cpu: 0.2 });
  const words = 'cpu > 90% for 0m --name Owned --notify @on-call --escalate 5m @release';
  await runCommand(running, `watch add ${words}`, /^Watch .+ was added$/);
  for (const group of ['on-call', 'release'])
    await running.slack.act('user-group', { user: 'U0ALICE', group, disabled: true });
  // Rackhand caches the members of a user group for a minute.
  await advanceMinutes(running, clock, 2);
  await running.service.load('VPS-10004', { cpu: 0.95 });

  const alert = await advanceToMessage(/^⚠/);
  expect(alert.pings).toEqual([]);
  expect(blocksText(alert)).toContain("No one was notified: this user group doesn't exist in Slack anymore.");

  const escalation = await advanceToMessage(/^Not acknowledged for 5 min/);
  expect(escalation).toMatchObject({ thread_ts: alert.ts, pings: [] });
  expect(blocksText(escalation)).toContain(
    "No one else was notified: this user group doesn't exist in Slack anymore.",
  );
  await advanceUntil(clock, async () =>
    expect(blocksText(await findMessage(/^⚠/))).toContain('Could not be escalated to'),
  );
});

/** Lets minutes pass until everyone in #ops sees the message. */
async function advanceToMessage(text: RegExp): Promise<SlackMessage> {
  await advanceUntil(clock, async () => expect(await findMessage(text)).toBeDefined());
  return findMessage(text);
}

async function findMessage(text: RegExp): Promise<SlackMessage> {
  const found = (await running.slack.messages('C0OPS', 'U0CAROL')).find((message) => text.test(message.text));
  if (!found) throw new Error(`no message matches ${text}`);
  return found;
}
