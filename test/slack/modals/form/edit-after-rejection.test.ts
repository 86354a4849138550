import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blocksText, grantAll, type RunningStack, type SlackMessage, startStack } from '../../../stack.ts';
import { toTextValue } from './form-driver.ts';

let running: RunningStack;
beforeEach(async () => {
  running = await startStack({ grants: grantAll('destroy', 'U0BOB') });
});
afterEach(() => running.close());

/** Has the service reject a snapshot, and returns the run's message. */
async function requestRejectedSnapshot(): Promise<SlackMessage> {
  const { slack, service } = running;
  await service.fault('status:409', { method: 'POST' });
  await slack.slash('snapshot create VPS-10003 nightly');
  return slack.message('Take snapshot nightly of api-01 (VPS-10003): ❌ Failed');
}

describe('a run that the service rejected', () => {
  test('can be edited: its form opens with the same input', async () => {
    const { slack, service } = running;
    const failed = await requestRejectedSnapshot();
    expect(blocksText(failed)).toMatch(/"text":"Edit and Retry".*"text":"Try Again"/s);
    await slack.click(failed, 'Edit and Retry');
    const form = await slack.modal();
    expect(blocksText(form)).toContain('"value":"VPS-10003"');
    expect(blocksText(form)).toContain('"initial_value":"nightly"');
    await slack.submit(form, { name: toTextValue('nightly-2') });
    await slack.message('Take snapshot nightly-2 of api-01 (VPS-10003): 🔄 In progress');
    expect(await service.changes()).toMatchObject([
      { status: 409 },
      { body: { name: 'nightly-2' }, status: 200 },
    ]);
  });

  test('can be retried unchanged, once for two presses', async () => {
    const { slack, service } = running;
    const failed = await requestRejectedSnapshot();
    await Promise.all([slack.click(failed, 'Try Again'), slack.click(failed, 'Try Again')]);
    await slack.message('Take snapshot nightly of api-01 (VPS-10003): 🔄 In progress');
    expect(await service.changes()).toMatchObject([
      { status: 409 },
      { body: { name: 'nightly' }, status: 200 },
    ]);
  });

  test('asks the person who presses Try Again for a confirmation, if required', async () => {
    const { slack, service } = running;
    await slack.slash('reboot VPS-10003');
    const card = await slack.message('Reboot api-01 (VPS-10003)?');
    await service.fault('status:409', { method: 'POST' });
    await slack.click(card, 'confirm');
    const failed = await slack.message('Reboot api-01 (VPS-10003): ❌ Failed');
    const made = (await service.changes()).length;
    await slack.click(failed, 'Try Again', { user: 'U0BOB' });
    const bobsCard = await slack.message('Reboot api-01 (VPS-10003)?', 'C0OPS', 'U0BOB');
    expect(bobsCard.ephemeral).toBe(true);
    expect((await slack.messages()).some(({ text }) => text.includes('Reboot api-01 (VPS-10003)?'))).toBe(
      false,
    );
    expect(await service.changes()).toHaveLength(made);
    await slack.click(bobsCard, 'confirm', { user: 'U0BOB' });
    const message = await slack.message('Reboot api-01 (VPS-10003): 🔄 In progress');
    expect(blocksText(message)).toContain('requested by @bob');
  });

  test('runs in the name of another person who edits it', async () => {
    const { slack } = running;
    await slack.click(await requestRejectedSnapshot(), 'Edit and Retry', { user: 'U0BOB' });
    expect(await slack.openModals()).toEqual([]);
    await slack.submit(await slack.modal('U0BOB'), {}, 'U0BOB');
    const message = await slack.message('Take snapshot nightly of api-01 (VPS-10003): 🔄 In progress');
    expect(blocksText(message)).toContain('requested by @bob');
  });

  test('is edited with its dependent fields filled in', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot delete VPS-10001 weekly');
    await service.fault('status:409', { method: 'DELETE' });
    await slack.click(await slack.message('Delete snapshot weekly of web-01 (VPS-10001)?'), 'confirm');
    await slack.click(
      await slack.message('Delete snapshot weekly of web-01 (VPS-10001): ❌ Failed'),
      'Edit and Retry',
    );
    await slack.submit(await slack.modal(), {});
    await slack.message('Delete snapshot weekly of web-01 (VPS-10001)?');
  });
});

describe('an operation without arguments', () => {
  test('opens no form, and offers none after extra words', async () => {
    const { slack } = running;
    await slack.slash('whoami');
    await slack.slash('list');
    await slack.message('12 VPS');
    await slack.slash('whoami and more');
    const refused = await slack.message('Unexpected "');
    expect(blocksText(refused)).not.toContain('Open Form');
    expect(await slack.openModals()).toEqual([]);
  });
});
