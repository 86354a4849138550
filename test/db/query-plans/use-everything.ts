import { expect, vi } from 'vitest';
import { minuteMs } from '../../../src/time/units.ts';
import type { ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { runCommand } from '../../slack/command-driver.ts';
import type { RunningStack } from '../../stack.ts';

/** Commands, each with the beginning of its reply. */
const commands: Readonly<Record<string, RegExp>> = {
  list: /12 VPS/,
  'show VPS-10005': /VPS-10005/,
  quota: /./,
  'history --kind all': /./,
  'history web-01': /./,
  'history @U0ALICE --failed': /./,
  history: /./,
  'star VPS-10004': /is starred$/,
  'alias VPS-10004 anvil': /./,
  whoami: /./,
  'access grant @U0BOB operate': /./,
  'mute VPS-10006': /./,
  'unmute VPS-10006': /./,
  'watch show Busy': /Busy/,
  'report show Soon': /Soon/,
  'report edit Soon --at 10:00': /./,
  'report pause Soon': /./,
  'report resume Soon': /./,
  'maintenance VPS-10003 now for 30m --name Upgrade': /has begun$/,
  'maintenance list': /./,
  'schedule list': /./,
  'approval require disrupt --channel #ops': /^Approval is now required/,
  'approval list': /./,
};

const scheduleCommands = ['show', 'skip', 'pause', 'resume', 'delete'];

/** Uses every part of Rackhand that queries the database while people and background jobs work. */
export async function useEverything(running: RunningStack, clock: ManualClock): Promise<void> {
  const { slack, service } = running;
  const dueMs = clock.now() + 3 * minuteMs;
  const at = new Date(dueMs).toISOString().slice(11, 16);
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

  // A watch is evaluated, a report is posted, a schedule is executed, and the progress of a reboot is polled.
  await service.load('VPS-10001', { cpu: 0.95 });
  await runCommand(running, 'watch add web-01 cpu > 90% for 0m --name Busy', /was added$/);
  await runCommand(
    running,
    `report add daily ${at} --zone UTC --name Soon --channel #general`,
    /is scheduled$/,
  );
  await slack.slash(
    `schedule snapshot VPS-10004 daily ${at} --zone UTC --keep 1d --name Nightly --announce 0m`,
  );
  const planned = await slack.message('Schedule this?');
  const buttons = planned.blocks.flatMap(({ elements = [] }) => elements);
  const press = buttons.find((button) => JSON.stringify(button).includes('"text":"Schedule"'));
  await slack.click(planned, press?.action_id ?? '');
  await slack.message('is scheduled');
  await slack.slash('reboot VPS-10002');
  await slack.click(await slack.message('Reboot web-02 (VPS-10002)?'), 'confirm');
  await vi.waitFor(
    async () => {
      await clock.advanceTo(clock.now() + minuteMs, settle);
      expect(await readTexts(running, 'C0OPS')).toContainEqual(expect.stringMatching(/^⚠/));
      expect(await readTexts(running, 'C0OPS')).toContainEqual(expect.stringContaining('Take a snapshot'));
      expect(await readTexts(running, 'C0GENERAL')).toContainEqual(expect.stringContaining('need a look'));
    },
    { timeout: 60_000, interval: 200 },
  );

  for (const command of scheduleCommands) await runCommand(running, `schedule ${command} Nightly`, /./);
  for (const [command, reply] of Object.entries(commands)) await runCommand(running, command, reply);

  // Somebody asks for approval, which App Home shows.
  await slack.slash('reboot VPS-10005', { user: 'U0BOB' });
  await slack.click(await slack.message('Reboot db-01 (VPS-10005)?', 'C0OPS', 'U0BOB'), 'confirm', {
    user: 'U0BOB',
  });
  const card = await slack.message('approval needed');
  await slack.act('home', { user: 'U0ALICE' });
  const home = `${slack.url}/sandbox/views?team=T0ACME&user=U0ALICE`;
  await expect.poll(async () => (await fetch(home)).text()).toContain('Waiting for your approval');
  await slack.click(card, 'approve');
  await slack.message('🔄 In progress');
}

async function readTexts({ slack }: RunningStack, channel: string): Promise<readonly string[]> {
  return (await slack.messages(channel)).map(({ text }) => text);
}
