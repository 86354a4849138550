import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningStack, startStack, textOf } from '../stack.ts';

describe.each(['socket', 'http'] as const)('a reboot, delivered by %s', (delivery) => {
  let running: RunningStack;
  beforeEach(async () => {
    running = await startStack({ delivery });
  });
  afterEach(() => running.close());

  test('is asked for, confirmed, sent once, and told as done when the server is back', async () => {
    const { slack, service } = running;
    const { acknowledged } = await slack.slash('reboot VPS-10001');
    expect(acknowledged).toBe(true);

    const card = await slack.message('Reboot VPS-10001?');
    expect(card.ephemeral).toBe(true);
    expect(textOf(card)).toContain('running');
    expect(await service.changes()).toEqual([]);

    await slack.click(card, 'confirm');
    const told = await slack.message('Reboot VPS-10001: 🔄 Under way');
    expect(told.ephemeral).toBe(false);
    expect(await service.changes()).toMatchObject([
      { method: 'POST', path: '/v1/vps/VPS-10001/action', body: { action: 'reboot' }, status: 200 },
    ]);
    expect(told.pings).toEqual([]);
    expect(textOf(told)).toContain('asked by @alice');
    const done = await slack.message('Reboot VPS-10001: ✅ Done');
    expect(textOf(done)).toContain('VPS-10001 is running now.');
    expect(textOf(done)).not.toContain('rebooting');
    const seen = await slack.messages();
    expect(seen.map(({ ts, text }) => [ts, text])).toEqual([[told.ts, done.text]]);
  });

  test('is seen by the others in the channel, its card is not', async () => {
    const { slack } = running;
    await slack.slash('reboot VPS-10002');
    const card = await slack.message('Reboot VPS-10002?');
    expect(await slack.messages('C0OPS', 'U0BOB')).toEqual([]);
    await slack.click(card, 'confirm');
    await slack.message('Reboot VPS-10002: 🔄 Under way', 'C0OPS', 'U0BOB');
  });

  test.each(['command', 'click'] as const)('is sent once when Slack delivers the %s twice', async (twice) => {
    const { slack, service } = running;
    if (twice === 'command') await slack.fault('duplicate');
    await slack.slash('reboot VPS-10003');
    const card = await slack.message('Reboot VPS-10003?');
    if (twice === 'click') await slack.fault('duplicate');
    await slack.click(card, 'confirm');
    await slack.message('Reboot VPS-10003: 🔄 Under way');
    expect(await service.changes()).toHaveLength(1);
    expect((await slack.messages()).filter(({ text }) => text.includes('VPS-10003'))).toHaveLength(1);
  });

  test('is sent once when the button is pressed five times at once', async () => {
    const { slack, service } = running;
    await slack.slash('reboot VPS-10004');
    const card = await slack.message('Reboot VPS-10004?');
    await Promise.allSettled(Array.from({ length: 5 }, () => slack.click(card, 'confirm')));
    await slack.message('Reboot VPS-10004: 🔄 Under way');
    expect(await service.changes()).toHaveLength(1);
  });
});

describe('a reboot', () => {
  let running: RunningStack;
  beforeEach(async () => {
    running = await startStack();
  });
  afterEach(() => running.close());

  test('that is cancelled is not sent, and its card goes', async () => {
    const { slack, service } = running;
    await slack.slash('reboot VPS-10001');
    const card = await slack.message('Reboot VPS-10001?');
    await slack.click(card, 'cancel');
    await expect.poll(() => slack.messages()).toEqual([]);
    expect(await service.changes()).toEqual([]);
  });

  test('is asked again when the VPS is in another state by the time of the click', async () => {
    const { slack, service } = running;
    await slack.slash('reboot VPS-10001');
    const first = await slack.message('Reboot VPS-10001?');
    const sent = await fetch(`${service.url}/v1/vps/VPS-10001/action`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-key-full', 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'reboot' }),
    });
    expect(sent.status).toBe(200);
    await slack.click(first, 'confirm');
    await expect.poll(async () => textOf(await slack.message('Reboot VPS-10001?'))).toContain('look again');
    expect(textOf(await slack.message('Reboot VPS-10001?'))).toContain('rebooting');
    expect(await service.changes()).toHaveLength(1);
  });

  test('asked where the app is no member is told of in direct messages, with how to invite it', async () => {
    const { slack } = running;
    await slack.slash('reboot VPS-10001', { channel: 'C0QUIET' });
    const card = await slack.message('Reboot VPS-10001?', 'C0QUIET');
    await slack.click(card, 'confirm', { channel: 'C0QUIET' });
    const told = await slack.message('Reboot VPS-10001: 🔄 Under way', 'U0ALICE');
    expect(textOf(told)).toContain('/invite');
    const pointer = await slack.message(
      'It is in your direct messages with me; /invite @Rackhand here',
      'C0QUIET',
    );
    expect(pointer.ephemeral).toBe(true);
    expect(textOf(await slack.message('Reboot VPS-10001: ✅ Done', 'U0ALICE'))).toContain('/invite');
    expect((await slack.messages('C0QUIET', 'U0BOB')).filter(({ text }) => text.includes('Reboot'))).toEqual(
      [],
    );
  });

  test('asked by a mention in a thread is answered in that thread', async () => {
    const { slack, service } = running;
    await slack.mention('@Rackhand list --public');
    const root = await slack.message('12 VPS');
    await slack.mention('@Rackhand reboot VPS-10001', { thread_ts: root.ts });
    const card = await slack.message('Reboot VPS-10001?');
    expect(card).toMatchObject({ ephemeral: true, thread_ts: root.ts });
    await slack.click(card, 'confirm');
    expect(await slack.message('Reboot VPS-10001: 🔄 Under way')).toMatchObject({ thread_ts: root.ts });
    expect(await service.changes()).toHaveLength(1);
  });

  test('that the service refuses ends as failed, with what it says', async () => {
    const { slack, service } = running;
    await slack.slash('reboot VPS-10001');
    const card = await slack.message('Reboot VPS-10001?');
    await service.fault('status:409', { method: 'POST' });
    await slack.click(card, 'confirm');
    const told = await slack.message('Reboot VPS-10001: ❌ Failed');
    expect(textOf(told)).toContain('Nothing was changed.');
    expect(await service.changes()).toHaveLength(1);
  });

  test('whose answer is lost ends as unknown, is not sent again, and shows the state read back', async () => {
    const { slack, service } = running;
    await slack.slash('reboot VPS-10001');
    const card = await slack.message('Reboot VPS-10001?');
    await service.fault('reset', { method: 'POST' });
    await slack.click(card, 'confirm');
    const told = await slack.message('Reboot VPS-10001: ❓ Outcome unknown');
    expect(textOf(told)).toContain('Whether anything was changed is not known');
    expect(textOf(told)).toContain('State: ');
    expect(await service.changes()).toHaveLength(1);
  });

  test('is not asked of a service that is down, and the person is told that nothing was changed', async () => {
    const { slack, service } = running;
    await service.fault('status:503', { times: 10 });
    await slack.slash('reboot VPS-10001');
    const told = await slack.message('Nothing was changed');
    expect(told.ephemeral).toBe(true);
    expect(told.text).toContain('The hosting service failed (503)');
    expect(await service.changes()).toEqual([]);
  });

  test('whose message somebody deletes meanwhile is told of in a new one', async () => {
    const { slack, service } = running;
    await slack.slash('reboot VPS-10001');
    const card = await slack.message('Reboot VPS-10001?');
    await service.fault('slow:600', { method: 'POST' });
    await slack.click(card, 'confirm');
    const { ts } = await slack.message('Reboot VPS-10001: 🔄 Running');
    await fetch(`${slack.url}/api/chat.delete`, {
      method: 'POST',
      headers: { authorization: 'Bearer xoxb-sandbox-acme', 'content-type': 'application/json' },
      body: JSON.stringify({ channel: 'C0OPS', ts }),
    });
    expect((await slack.message('Reboot VPS-10001: 🔄 Under way')).ts).not.toBe(ts);
  });

  test('by somebody else than the asker is refused', async () => {
    const { slack, service } = running;
    await slack.slash('reboot VPS-10001');
    const card = await slack.message('Reboot VPS-10001?');
    await expect(slack.click(card, 'confirm', { user: 'U0BOB' })).rejects.toThrow();
    expect(await service.changes()).toEqual([]);
  });
});
