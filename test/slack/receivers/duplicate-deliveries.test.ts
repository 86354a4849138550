import { describe, expect, test } from 'vitest';
import { grantAll } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';

const running = useStack({ grants: grantAll('destroy', 'U0BOB') });

/** Returns the texts of every message so far, once the app has nothing more to post. */
async function readTexts(user = 'U0ALICE'): Promise<string[]> {
  await running.slack.slash('show VPS-10012', { user });
  await running.slack.message('VPS-10012', 'C0OPS', user);
  const texts = (await running.slack.messages('C0OPS', user)).map(({ text }) => text);
  return texts.filter((text) => text !== 'legacy-01 (VPS-10012)');
}

describe('a request that Slack delivers twice', () => {
  test('opens one form and posts nothing else', async () => {
    await running.slack.fault('duplicate');
    await running.slack.slash('snapshot create');
    await running.slack.modal();
    expect(await readTexts()).toEqual([]);
    expect(await running.slack.openModals()).toHaveLength(1);
  });
});

describe("a next step's button", () => {
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
});
