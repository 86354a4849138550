import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blocksText, grantAll, type RunningStack, startStack } from '../../stack.ts';

let running: RunningStack;
beforeEach(async () => {
  running = await startStack({ grants: grantAll('destroy', 'U0BOB') });
});
afterEach(() => running.close());

/** Returns the texts of every message so far, once the app has nothing more to post. */
async function readTexts(user = 'U0ALICE'): Promise<string[]> {
  await running.slack.slash('show VPS-10012', { user });
  await running.slack.message('VPS-10012', 'C0OPS', user);
  const texts = (await running.slack.messages('C0OPS', user)).map(({ text }) => text);
  return texts.filter((text) => text !== 'legacy-01 (VPS-10012)');
}

describe('a request that Slack delivers twice', () => {
  test.each([
    ['a refused command', 'rebot VPS-10001'],
    ['a command that asks', 'reboot VPS-10001'],
    ['a question', 'show VPS-10001'],
  ])('gets one reply: %s', async (_, text) => {
    await running.slack.fault('duplicate');
    await running.slack.slash(text);
    await running.slack.message(/./);
    expect(await readTexts()).toHaveLength(1);
  });

  test('opens one form and posts nothing else', async () => {
    await running.slack.fault('duplicate');
    await running.slack.slash('snapshot create');
    await running.slack.modal();
    expect(await readTexts()).toEqual([]);
    expect(await running.slack.openModals()).toHaveLength(1);
  });

  test('is posted to the channel once', async () => {
    await running.slack.slash('show VPS-10001');
    const answer = await running.slack.message('VPS-10001');
    await running.slack.fault('duplicate');
    await running.slack.click(answer, 'share');
    await running.slack.message('VPS-10001', 'C0OPS', 'U0BOB');
    expect(await readTexts('U0BOB')).toEqual(['web-01 (VPS-10001)']);
  });
});

describe("a next step's button", () => {
  test('asks again after a cancellation', async () => {
    const { slack } = running;
    await slack.slash('show VPS-10007');
    const answer = await slack.message('VPS-10007');
    for (const count of [1, 2]) {
      await slack.click(answer, 'Reboot');
      const card = await slack.message('Reboot cache-01 (VPS-10007)?');
      await slack.click(card, 'cancel');
      await expect.poll(async () => (await slack.messages()).length, { message: `round ${count}` }).toBe(1);
    }
  });

  test('in a channel works for each person', async () => {
    const { slack } = running;
    await slack.slash('show VPS-10007 --public');
    const answer = await slack.message('VPS-10007');
    for (const user of ['U0ALICE', 'U0BOB']) {
      await slack.click(answer, 'Reboot', { user });
      await slack.message('Reboot cache-01 (VPS-10007)?', 'C0OPS', user);
    }
  });

  test('without a confirmation runs once, however often it is pressed', async () => {
    const { slack, service } = running;
    await service.fault('status:500', { method: 'POST' });
    await slack.slash('snapshot create VPS-10001 nightly');
    const failed = await slack.message('Take snapshot nightly of web-01 (VPS-10001): ❌ Failed');
    await Promise.all([1, 2, 3].map(() => slack.click(failed, 'Try Again')));
    await slack.message('Take snapshot nightly of web-01 (VPS-10001): 🔄 In progress');
    await readTexts();
    expect(await service.changes()).toHaveLength(2);
  });

  test('keeps a public reply public', async () => {
    const { slack } = running;
    await slack.slash('show legacy01 --public');
    await slack.click(await slack.message('found no VPS called "legacy01"'), 'Use legacy-01 (VPS-10012)');
    await slack.message('legacy-01 (VPS-10012)', 'C0OPS', 'U0BOB');
  });
});

describe('a request that the service rejects', () => {
  test('is offered again as a form with the same input', async () => {
    const { slack, service } = running;
    await service.fault('status:422', { method: 'POST' });
    await slack.slash(
      'lb create app.example.com --backend VPS-10001:80 --backend VPS-10002:81 --mode leastconn',
    );
    const told = await slack.message('Create load balancer app.example.com: ❌ Failed');
    await slack.click(told, 'Edit and Retry');
    const form = blocksText(await slack.modal());
    for (const words of ['app.example.com', 'VPS-10001', 'VPS-10002', '"initial_value":"81"', 'leastconn']) {
      expect(form).toContain(words);
    }
  });
});

describe('a person of another organization', () => {
  test('is denied in a shared channel', async () => {
    const { slack, service } = running;
    await slack.mention('snapshot create VPS-10001 theirs', { user: 'U0ERIN' });
    await slack.message('Only members of this workspace', 'C0OPS', 'U0ERIN');
    await slack.slash('show VPS-10001 --public');
    const answer = await slack.message(/^web-01 \(VPS-10001\)$/);
    await slack.click(answer, 'Reboot', { user: 'U0ERIN' });
    await expect
      .poll(
        async () =>
          (await slack.messages('C0OPS', 'U0ERIN')).filter(({ text }) => text.includes('Only members'))
            .length,
      )
      .toBe(2);
    expect(await service.changes()).toEqual([]);
  });
});
