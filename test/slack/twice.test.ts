import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { granted, type RunningStack, startStack, textOf } from '../stack.ts';

let running: RunningStack;
beforeEach(async () => {
  running = await startStack({ grants: granted('destroy', 'U0BOB') });
});
afterEach(() => running.close());

/** Everything that has been said so far, once the app has nothing more to say. */
async function said(user = 'U0ALICE'): Promise<string[]> {
  await running.slack.slash('show VPS-10012', { user });
  await running.slack.message('VPS-10012', 'C0OPS', user);
  const texts = (await running.slack.messages('C0OPS', user)).map(({ text }) => text);
  return texts.filter((text) => text !== 'VPS-10012');
}

describe('what Slack delivers twice', () => {
  test.each([
    ['a refused command', 'rebot VPS-10001'],
    ['a command that asks', 'reboot VPS-10001'],
    ['a question', 'show VPS-10001'],
  ])('is answered once: %s', async (_, text) => {
    await running.slack.fault('duplicate');
    await running.slack.slash(text);
    await running.slack.message(/./);
    expect(await said()).toHaveLength(1);
  });

  test('opens one form, and says nothing beside', async () => {
    await running.slack.fault('duplicate');
    await running.slack.slash('snapshot create');
    await running.slack.modal();
    expect(await said()).toEqual([]);
    expect(await running.slack.openModals()).toHaveLength(1);
  });

  test('is posted to the channel once', async () => {
    await running.slack.slash('show VPS-10001');
    const answer = await running.slack.message('VPS-10001');
    await running.slack.fault('duplicate');
    await running.slack.click(answer, 'share');
    await running.slack.message('VPS-10001', 'C0OPS', 'U0BOB');
    expect(await said('U0BOB')).toEqual(['VPS-10001']);
  });
});

describe('a button of a next step', () => {
  test('asks again after it was cancelled', async () => {
    const { slack } = running;
    await slack.slash('show VPS-10007');
    const answer = await slack.message('VPS-10007');
    for (const count of [1, 2]) {
      await slack.click(answer, 'step:0');
      const card = await slack.message('Reboot VPS-10007?');
      await slack.click(card, 'cancel');
      await expect.poll(async () => (await slack.messages()).length, { message: `round ${count}` }).toBe(1);
    }
  });

  test('in the channel works for each person', async () => {
    const { slack } = running;
    await slack.slash('show VPS-10007 --public');
    const answer = await slack.message('VPS-10007');
    for (const user of ['U0ALICE', 'U0BOB']) {
      await slack.click(answer, 'step:0', { user });
      await slack.message('Reboot VPS-10007?', 'C0OPS', user);
    }
  });

  test('that runs at once runs once, however often it is pressed', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot create VPS-1000 nightly');
    const refusal = await slack.message('There is no VPS called VPS-1000');
    await Promise.all([1, 2, 3].map(() => slack.click(refusal, 'step:0')));
    await slack.message(/Take snapshot nightly of VPS-100\d\d: ✅ Done/);
    await said();
    expect(await service.changes()).toHaveLength(1);
  });

  test('keeps an answer public that was asked to be', async () => {
    const { slack } = running;
    await slack.slash('show vps10001 --public');
    await slack.click(await slack.message('is not the name'), 'step:0');
    await slack.message('VPS-10001', 'C0OPS', 'U0BOB');
  });
});

describe('what the service refuses', () => {
  test('comes back as a form, filled as it was', async () => {
    const { slack, service } = running;
    await service.fault('status:422', { method: 'POST' });
    await slack.slash(
      'lb create app.example.com --backend VPS-10001:80 --backend VPS-10002:81 --mode leastconn',
    );
    const told = await slack.message('Create load balancer app.example.com: ❌ Failed');
    await slack.click(told, 'step:0');
    const form = textOf(await slack.modal());
    for (const words of ['app.example.com', 'VPS-10001', 'VPS-10002', '"initial_value":"81"', 'leastconn']) {
      expect(form).toContain(words);
    }
  });
});

describe('somebody of another organisation', () => {
  test('in a shared channel is turned away', async () => {
    const { slack, service } = running;
    await slack.mention('snapshot create VPS-10001 theirs', { user: 'U0ERIN' });
    await slack.message('Only people of this workspace', 'C0OPS', 'U0ERIN');
    await slack.slash('show VPS-10001 --public');
    const answer = await slack.message(/^VPS-10001$/);
    await slack.click(answer, 'step:0', { user: 'U0ERIN' });
    await expect
      .poll(
        async () =>
          (await slack.messages('C0OPS', 'U0ERIN')).filter(({ text }) => text.includes('Only people')).length,
      )
      .toBe(2);
    expect(await service.changes()).toEqual([]);
  });
});
