import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { granted, type RunningStack, type SlackMessage, startStack, textOf } from '../stack.ts';
import { typedValue } from './form-acts.ts';

let running: RunningStack;
beforeEach(async () => {
  running = await startStack({ grants: granted('destroy', 'U0BOB') });
});
afterEach(() => running.close());

/** Lets a snapshot be refused by the service, and gives the message that tells of it. */
async function refusedSnapshot(): Promise<SlackMessage> {
  const { slack, service } = running;
  await service.fault('status:409', { method: 'POST' });
  await slack.slash('snapshot create VPS-10003 nightly');
  return slack.message('Take snapshot nightly of VPS-10003: ❌ Failed');
}

describe('what the service refused', () => {
  test('can be edited: the form opens filled as it was', async () => {
    const { slack, service } = running;
    const failed = await refusedSnapshot();
    expect(textOf(failed)).toMatch(/"text":"Edit".*"text":"Retry"/s);
    await slack.click(failed, 'step:0');
    const form = await slack.modal();
    expect(textOf(form)).toContain('"value":"VPS-10003"');
    expect(textOf(form)).toContain('"initial_value":"nightly"');
    await slack.submit(form, { name: typedValue('nightly-2') });
    await slack.message('Take snapshot nightly-2 of VPS-10003: ✅ Done');
    expect(await service.changes()).toMatchObject([
      { status: 409 },
      { body: { name: 'nightly-2' }, status: 200 },
    ]);
  });

  test('can be tried again as it was, by two presses once', async () => {
    const { slack, service } = running;
    const failed = await refusedSnapshot();
    await Promise.all([slack.click(failed, 'step:1'), slack.click(failed, 'step:1')]);
    await slack.message('Take snapshot nightly of VPS-10003: ✅ Done');
    expect(await service.changes()).toMatchObject([
      { status: 409 },
      { body: { name: 'nightly' }, status: 200 },
    ]);
  });

  test('asks again, of whoever presses Retry, where it must be confirmed', async () => {
    const { slack, service } = running;
    await slack.slash('reboot VPS-10003');
    const card = await slack.message('Reboot VPS-10003?');
    await service.fault('status:409', { method: 'POST' });
    await slack.click(card, 'confirm');
    const failed = await slack.message('Reboot VPS-10003: ❌ Failed');
    const made = (await service.changes()).length;
    await slack.click(failed, 'step:1', { user: 'U0BOB' });
    const asked = await slack.message('Reboot VPS-10003?', 'C0OPS', 'U0BOB');
    expect(asked.ephemeral).toBe(true);
    expect((await slack.messages()).some(({ text }) => text.includes('Reboot VPS-10003?'))).toBe(false);
    expect(await service.changes()).toHaveLength(made);
    await slack.click(asked, 'confirm', { user: 'U0BOB' });
    const told = await slack.message('Reboot VPS-10003: 🔄 Under way');
    expect(textOf(told)).toContain('asked by @bob');
  });

  test('edited by somebody else is asked in their name', async () => {
    const { slack } = running;
    await slack.click(await refusedSnapshot(), 'step:0', { user: 'U0BOB' });
    expect(await slack.openModals()).toEqual([]);
    await slack.submit(await slack.modal('U0BOB'), {}, 'U0BOB');
    const told = await slack.message('Take snapshot nightly of VPS-10003: ✅ Done');
    expect(textOf(told)).toContain('asked by @bob');
  });

  test('is edited with what depends on another filled in too', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot delete VPS-10001 weekly');
    await service.fault('status:409', { method: 'DELETE' });
    await slack.click(await slack.message('Delete snapshot weekly of VPS-10001?'), 'confirm');
    await slack.click(await slack.message('Delete snapshot weekly of VPS-10001: ❌ Failed'), 'step:0');
    await slack.submit(await slack.modal(), {});
    await slack.message('Delete snapshot weekly of VPS-10001?');
  });
});

describe('an operation that asks for nothing', () => {
  test('opens no form, and offers none where too much was typed', async () => {
    const { slack } = running;
    await slack.slash('whoami');
    await slack.slash('list');
    await slack.message('12 VPS');
    await slack.slash('whoami and more');
    const refused = await slack.message('one word too many');
    expect(textOf(refused)).not.toContain('Open Form');
    expect(await slack.openModals()).toEqual([]);
  });
});
