import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createManualClock } from '../../jobs/clocks/manual-clock.ts';
import { grantAll, type RunningStack, startStack } from '../../stack.ts';
import { runCommand } from '../command-driver.ts';
import { advanceUntil } from '../watches/watch-driver.ts';

let running: RunningStack;

afterEach(() => running.close());

const home = z.looseObject({ id: z.string(), blocks: z.array(z.looseObject({})) });

async function homeOf(user = 'U0ALICE', team = 'T0ACME') {
  const response = await fetch(`${running.slack.url}/sandbox/views?team=${team}&user=${user}`);
  return z.looseObject({ home: home.nullable() }).parse(await response.json()).home;
}

/** Waits until the App Home shows a text, and returns its content. */
async function homeWith(words: string, user?: string, team?: string): Promise<string> {
  await expect.poll(async () => JSON.stringify(await homeOf(user, team))).toContain(words);
  return JSON.stringify(await homeOf(user, team));
}

async function click(action_id: string, value: string) {
  const view = (await homeOf())?.id;
  const block = action_id === 'home:vps' ? { block_id: value.split(':')[1] } : {};
  return running.slack.act('click', { user: 'U0ALICE', view, action_id, value, ...block });
}

async function modalText(): Promise<string> {
  return JSON.stringify(await running.slack.openModals());
}

describe('the App Home', () => {
  beforeEach(async () => {
    running = await startStack();
  });

  test('shows the fleet, the key and the rest of its quota', async () => {
    await running.slack.act('home', { user: 'U0ALICE' });
    const text = await homeWith('VPS-10012');
    expect(text).toContain('*12 VPS*');
    expect(text).toContain('vps.manage');
    expect(text).toMatch(/\d+ of 50/);
    expect(text).toContain('Nothing has been changed yet.');
  });

  test('confirms a reboot, sends it once, and reports it in DMs and under recent changes', async () => {
    await running.slack.act('home', { user: 'U0ALICE' });
    await homeWith('VPS-10003');
    await click('home:vps', 'reboot:VPS-10003');
    await expect.poll(modalText).toContain('Reboot api-01 (VPS-10003)?');
    const [view] = await running.slack.openModals();
    await running.slack.act('click', { user: 'U0ALICE', view: view?.id, action_id: 'confirm' });
    await running.slack.message('Reboot api-01 (VPS-10003): 🔄 In progress', 'U0ALICE');
    await expect.poll(modalText).toContain('your DMs');
    expect(await running.service.changes()).toMatchObject([{ path: '/v1/vps/VPS-10003/action' }]);
    await click('home:refresh', 'refresh');
    await homeWith('*Reboot api-01 (VPS-10003)*');
  });

  test('says that no key is connected, with a button for those allowed to connect one', async () => {
    await running.slack.act('home', { team: 'T0GLOBEX', user: 'U0GWEN' });
    expect(await homeWith("isn't connected", 'U0GWEN', 'T0GLOBEX')).toContain('Connect…');
  });
});

test('the App Home shows alerts, approvals, running changes and plans', async () => {
  const clock = createManualClock(Date.now());
  running = await startStack({
    clock,
    // A short window, because the clock is faster than the calls.
    hosting: { now: clock.now, windowMs: 250, vpsCount: 4 },
    grants: [...grantAll('operate', 'U0BOB'), { grantee: 'U0CAROL', right: 'view', pattern: 'VPS-10001' }],
  });
  const { slack, service } = running;
  const run = (words: string, answer: RegExp) => runCommand(running, words, answer);
  for (const [vps, cpu] of [
    ['VPS-10001', 0.95],
    ['VPS-10002', 0.2],
    ['VPS-10003', 0.2],
    ['VPS-10004', 0.2],
  ] as const)
    await service.load(vps, { cpu });
  await run('watch add cpu > 90% for 0m --name Busy', /was added$/);
  await run('report add daily 09:00 --name Morning', /is scheduled$/);
  await run('maintenance VPS-10003 now for 30m --name Upgrade', /has begun$/);
  await slack.slash('schedule reboot VPS-10004 "tomorrow 03:00"');
  const card = await slack.message('Schedule this?');
  const buttons = card.blocks.flatMap(({ elements = [] }) => elements);
  const press = buttons.find((button) => JSON.stringify(button).includes('"text":"Schedule"'));
  await slack.click(card, press?.action_id ?? '');
  await slack.message('is scheduled');
  await advanceUntil(clock, async () => void (await slack.earlierMessage(/^⚠️/)));
  // It stays in progress, because the clock stands still from here on. Slack's clock goes on, so that
  // the channel's limit of posts is not reached.
  await slack.act('clock', { advance_ms: 5_000 });
  await slack.slash('reboot VPS-10002');
  await slack.click(await slack.message('Reboot web-02 (VPS-10002)?'), 'confirm');
  await slack.message('Reboot web-02 (VPS-10002): 🔄 In progress');
  await slack.act('clock', { advance_ms: 5_000 });
  await run('approval require disrupt --channel #ops', /^Approval is now required/);
  await slack.slash('reboot VPS-10001', { user: 'U0BOB' });
  await slack.click(await slack.message('Reboot web-01 (VPS-10001)?', 'C0OPS', 'U0BOB'), 'confirm', {
    user: 'U0BOB',
  });
  await slack.message('approval needed');

  await slack.act('home', { user: 'U0ALICE' });
  const text = await homeWith('Waiting for your approval');
  expect(text).toMatch(/🔴 \*Busy\* {3}web-01 \(VPS-10001\)\\nNo one has acknowledged it\./);
  expect(text).toMatch(
    /\*Reboot web-01 \(VPS-10001\)\* {3}requested by <@U0BOB>\. The request is in <#C0OPS>/,
  );
  expect(text).toContain('Running now');
  expect(text).toMatch(/🔧 Maintenance \*Upgrade\* in <#C0OPS>, until .+📋 Report \*Morning\* in <#C0OPS>/);
  expect(text).toMatch(/⏰ \*Reboot .*VPS-10004.*\* {3}<@U0ALICE> in <#C0OPS>/);
  expect((await homeOf())?.blocks[0]).toMatchObject({
    elements: [{ action_id: 'home:refresh' }, { text: { text: 'Settings' } }],
  });

  // The requester can't approve, and a person who views one VPS sees nothing of the others.
  await slack.act('home', { user: 'U0BOB' });
  expect(await homeWith('Busy', 'U0BOB')).not.toContain('Waiting for your approval');
  await slack.act('home', { user: 'U0CAROL' });
  const carols = await homeWith('Busy', 'U0CAROL');
  expect(carols).not.toContain('VPS-10002');
  expect(carols).not.toContain('Upgrade');
  expect(carols).not.toContain('⏰');
  expect(carols).not.toContain('People and Rights');

  // The alert's button acknowledges it.
  const alert = (await homeOf())?.blocks.find((block) => JSON.stringify(block).includes('*Busy*'));
  const { block_id, accessory } = z
    .looseObject({ block_id: z.string(), accessory: z.looseObject({ value: z.string() }) })
    .parse(alert);
  const view = (await homeOf())?.id;
  await slack.act('click', { user: 'U0ALICE', view, block_id, action_id: 'step:0', value: accessory.value });
  await expect.poll(modalText).toContain('Busy');
  await click('home:refresh', 'refresh');
  await homeWith('<@U0ALICE> is handling it');
});
