import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { blocksText, type RunningStack, startStack } from '../../stack.ts';
import { waitForEnd } from '../wait-for-end.ts';

let running: RunningStack;
afterEach(() => running.close());

describe.each(['socket', 'http'] as const)('a reboot, delivered by %s', (delivery) => {
  beforeEach(async () => {
    running = await startStack({ delivery, followsSlackClock: true });
  });

  test('is confirmed, sent once, and reported as done when the VPS is back', async () => {
    const { slack, service } = running;
    const { acknowledged } = await slack.slash('reboot VPS-10001');
    expect(acknowledged).toBe(true);

    const card = await slack.message('Reboot web-01 (VPS-10001)?');
    expect(card.ephemeral).toBe(true);
    expect(blocksText(card)).toContain('running');
    expect(await service.changes()).toEqual([]);

    await slack.click(card, 'confirm');
    const told = await slack.message('Reboot web-01 (VPS-10001): 🔄 In progress');
    expect(told.ephemeral).toBe(false);
    expect(await service.changes()).toMatchObject([
      { method: 'POST', path: '/v1/vps/VPS-10001/action', body: { action: 'reboot' }, status: 200 },
    ]);
    expect(told.pings).toEqual([]);
    expect(blocksText(told)).toContain('requested by @alice');
    const done = await waitForEnd(running, 'Reboot web-01 (VPS-10001)');
    expect(blocksText(done)).toContain('web-01 (VPS-10001) is running now.');
    expect(blocksText(done)).not.toContain('rebooting');
    const seen = await slack.messages();
    expect(seen.map(({ ts, text }) => [ts, text])).toEqual([[told.ts, done.text]]);
  });
});

describe('a reboot', () => {
  beforeEach(async () => {
    running = await startStack({ followsSlackClock: true });
  });

  test('is confirmed again if the VPS changed its state before the click', async () => {
    const { slack, service } = running;
    await slack.slash('reboot VPS-10001');
    const first = await slack.message('Reboot web-01 (VPS-10001)?');
    await service.call('POST', '/v1/vps/VPS-10001/action', { action: 'reboot' });
    await slack.click(first, 'confirm');
    await expect
      .poll(async () => blocksText(await slack.message('Reboot web-01 (VPS-10001)?')))
      .toContain('Check it before');
    expect(blocksText(await slack.message('Reboot web-01 (VPS-10001)?'))).toContain('rebooting');
    expect(await service.changes()).toHaveLength(1);
  });

  test('requested where the app is not a member is reported in DMs, with how to invite it', async () => {
    const { slack } = running;
    await slack.slash('reboot VPS-10001', { channel: 'C0QUIET' });
    const card = await slack.message('Reboot web-01 (VPS-10001)?', 'C0QUIET');
    await slack.click(card, 'confirm', { channel: 'C0QUIET' });
    const told = await slack.message('Reboot web-01 (VPS-10001): 🔄 In progress', 'U0ALICE');
    expect(blocksText(told)).toContain('/invite');
    const pointer = await slack.message("I'm not in this channel, so I sent it to your DMs", 'C0QUIET');
    expect(pointer.ephemeral).toBe(true);
    const done = await waitForEnd(running, 'Reboot web-01 (VPS-10001)', '✅ Done', { channel: 'U0ALICE' });
    expect(blocksText(done)).toContain('/invite');
    expect((await slack.messages('C0QUIET', 'U0BOB')).filter(({ text }) => text.includes('Reboot'))).toEqual(
      [],
    );
  });

  test('whose response is lost ends as unknown, is not sent again, and goes on showing the state', async () => {
    const { slack, service } = running;
    await slack.slash('reboot VPS-10001');
    const card = await slack.message('Reboot web-01 (VPS-10001)?');
    await service.fault('reset', { method: 'POST' });
    await slack.click(card, 'confirm');
    const told = await slack.message('Reboot web-01 (VPS-10001): ❓ Outcome unknown');
    expect(blocksText(told)).toContain("It's unknown whether anything was changed");
    expect(blocksText(told)).toContain('State: ');
    const followed = await eventually(async () => {
      await slack.act('clock', { advance_ms: 5_000 });
      const text = blocksText(await slack.message('Reboot web-01 (VPS-10001): ❓ Outcome unknown'));
      if (!text.includes('web-01 (VPS-10001) is running now.')) throw new Error(text);
      return text;
    });
    expect(followed).not.toContain('State: ');
    expect(await service.changes()).toHaveLength(1);
  });
});
