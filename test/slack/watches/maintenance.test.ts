import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { grantAll, type RunningStack, startStack } from '../../stack.ts';
import { readTable, runCommand } from '../command-driver.ts';
import { visibleText } from '../operations/visible-text.ts';
import { advanceMinutes, advanceUntil, listAlertMessages } from './watch-driver.ts';

let running: RunningStack;
let clock: ManualClock;

beforeAll(async () => {
  clock = createManualClock(Date.now());
  running = await startStack({
    clock,
    hosting: { windowMs: 250, vpsCount: 4 },
    grants: grantAll('view', 'U0CAROL'),
  });
});
afterAll(() => running.close());

beforeEach(async () => {
  for (let vps = 10_001; vps <= 10_004; vps += 1) await running.service.load(`VPS-${vps}`, { cpu: 0.2 });
});

const run = (words: string, answer: RegExp) => runCommand(running, words, answer);
const load = (vps: string, cpu: number) => running.service.load(vps, { cpu });
const pass = (minutes: number) => advanceMinutes(running, clock, minutes);
const alertTexts = async () => (await listAlertMessages(running)).map(({ text }) => text);

/** Returns what a channel was told about maintenance. */
async function announcements(channel = 'C0OPS'): Promise<readonly string[]> {
  const seen = await running.slack.messages(channel, 'U0CAROL');
  return seen
    .filter(({ text }) => /^(🔧 )?Maintenance of/u.test(text))
    .map(({ blocks }) => visibleText(blocks));
}

describe('a maintenance window', () => {
  test('silences watches about its VPS, and one line says afterwards what is still wrong', async () => {
    await run('watch add cpu > 90% for 0m --name Busy', /was added$/);
    await load('VPS-10001', 0.95);
    await advanceUntil(clock, async () => expect(await alertTexts()).toHaveLength(1));
    await run('maintenance web-* now for 30m --name Upgrade', /^Maintenance "Upgrade" has begun$/);
    await advanceUntil(clock, async () => expect(await announcements()).toHaveLength(1));
    expect((await announcements())[0]).toMatch(
      /🔧 Maintenance of web-\* has begun\nUntil: .+\nPlanned by: @alice\n.+silent about these VPS/,
    );
    const list = await run('maintenance list', /^One maintenance window, 1 now$/);
    expect(readTable(list)[0]?.slice(0, 3)).toEqual(['Upgrade', 'web-*', '🔧 in maintenance']);

    // web-01 was busy before, and web-02 gets busy. Neither is reported, but another VPS is.
    // The cycle that began before the maintenance has ended by then.
    await pass(1);
    await load('VPS-10002', 0.96);
    await pass(5);
    expect(await alertTexts()).toEqual([expect.stringMatching(/^⚠️ web-01 \(VPS-10001\): CPU 95%/)]);
    await load('VPS-10003', 0.97);
    await pass(3);
    expect(await alertTexts()).toEqual([expect.stringMatching(/^⚠️ 2 VPS with CPU over 90%: api-01/)]);

    await advanceUntil(clock, async () => expect(await announcements()).toHaveLength(2));
    expect((await announcements())[1]).toBe(
      'Maintenance of web-* has ended\nStill wrong at the last check: web-01 (VPS-10001) CPU over 90% (since before the maintenance) and web-02 (VPS-10002) CPU over 90%.',
    );
    // The earlier problem stays in its message. The one that began meanwhile is added to it.
    await pass(3);
    expect(await alertTexts()).toEqual([expect.stringMatching(/^⚠️ 3 VPS with CPU over 90%/)]);
    expect(readTable(await run('maintenance list', /^One maintenance window$/))[0]).toContain('done');
    await run('maintenance delete Upgrade', /was deleted$/);
    await run('watch delete Busy', /was deleted$/);
  });

  test('in a DM is told to the channels of the watches concerned, and so is its end', async () => {
    await run('watch add web-* cpu > 90% for 0m --name Web --channel #general', /was added$/);
    await run('watch add VPS-10004 cpu > 90% for 0m --name Worker', /was added$/);
    const beforeOps = (await announcements()).length;
    const told = () => announcements('C0GENERAL');
    await running.slack.slash('maintenance web-01 now for 9h --name Quiet', { channel: 'U0ALICE' });
    await advanceUntil(clock, async () => expect(await told()).toHaveLength(1));
    expect((await told())[0]).toMatch(
      /^🔧 Maintenance of web-01 has begun\nUntil: .+\nPlanned by: @alice\n/u,
    );
    await running.slack.slash('maintenance edit Quiet --when "now for 10h"', { channel: 'U0ALICE' });
    await running.slack.message(/^Maintenance "Quiet" was changed$/, 'C0GENERAL', 'U0CAROL');
    await running.slack.slash('maintenance delete Quiet', { channel: 'U0ALICE' });
    await advanceUntil(clock, async () => expect(await told()).toHaveLength(2));
    expect((await told())[1]).toMatch(/^Maintenance of web-01 has ended\nEnded by: @alice/);
    expect(await announcements()).toHaveLength(beforeOps);
  });
});

test('watches are silent for a short time about a VPS that Rackhand has rebooted', async () => {
  await run('watch add VPS-10002 cpu > 90% for 0m --name Boot', /was added$/);
  const before = (await alertTexts()).length;
  await running.slack.slash('reboot VPS-10002');
  const card = await running.slack.message(/^Reboot web-02/, 'C0OPS', 'U0ALICE');
  await running.slack.click(card, 'confirm');
  await expect.poll(async () => (await running.service.changes()).length).toBe(1);
  await load('VPS-10002', 0.97);
  await pass(3);
  expect(await alertTexts()).toHaveLength(before);
  await advanceUntil(clock, async () => expect(await alertTexts()).toHaveLength(before + 1));
});
