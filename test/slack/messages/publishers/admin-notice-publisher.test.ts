import { beforeEach, expect, test } from 'vitest';
import { replaceKeyStep } from '../../../../src/operations/define/key-steps.ts';
import { createAdminNoticePublisher } from '../../../../src/slack/messages/publishers/admin-notice-publisher.ts';
import { readButtonLabels } from '../../command-driver.ts';
import { useSlack } from '../../use-slack.ts';

const slack = useSlack();
beforeEach(() => slack.driver.act('reset', {}));

/** Sends a reminder to people of Acme, like the app. */
const remind = (people: readonly string[], preferredAdmin?: string) =>
  createAdminNoticePublisher(slack.clients, async () => people)(
    'T0ACME',
    { title: 'The key is old', next: [replaceKeyStep] },
    preferredAdmin,
  );

const countReminders = async (user: string) => (await slack.driver.messages(user, user)).length;

test('people allowed to change a key are reminded by DM, ten at most, with the button that opens the modal', async () => {
  const nobody = Array.from({ length: 9 }, () => 'U0NOBODY');
  await remind(['U0ALICE', ...nobody, 'U0BOB']);
  const [reminder] = await slack.driver.messages('U0ALICE');
  expect(reminder && readButtonLabels(reminder)).toEqual(['Replace Key…']);
  expect(await countReminders('U0BOB')).toBe(0);
  expect(await slack.driver.messages('C0OPS')).toEqual([]);
});

test('a reminder that reaches nobody fails, so that it is retried', async () => {
  await expect(remind(['U0NOBODY'])).rejects.toThrow();
  await expect(remind([])).resolves.toBe(false);
});

test('a message for one admin goes to all admins if that person is not one of them', async () => {
  await remind(['U0ALICE', 'U0BOB'], 'U0BOB');
  expect(await countReminders('U0ALICE')).toBe(0);
  await remind(['U0ALICE'], 'U0CAROL');
  expect(await countReminders('U0ALICE')).toBe(1);
});
