import { expect, test } from 'vitest';
import { grantAll } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';
import { readButtonLabels } from '../command-driver.ts';

const running = useStack({ grants: grantAll('operate', 'U0BOB') }, 'group');

/** Types text to the app in its Messages tab. */
const type = (text: string, more: Record<string, unknown> = {}) =>
  running.slack.act('message', { user: 'U0ALICE', channel: 'U0ALICE', text, ...more });

const answer = (text: string | RegExp) => running.slack.message(text, 'U0ALICE');

test('words in direct messages work like the command, and the answers stay', async () => {
  await type('show web-01');
  const shown = await answer('web-01 (VPS-10001)');
  expect(shown.ephemeral).toBe(false);
  expect(readButtonLabels(shown)).not.toContain('Post to Channel');

  await type('/vps reboot web-01');
  const card = await answer('Reboot web-01 (VPS-10001)?');
  expect(card.ephemeral).toBe(false);
  await running.slack.click(card, 'confirm', { channel: 'U0ALICE' });
  await answer(/^Reboot web-01 \(VPS-10001\): .*(Done|In progress|Running)/);
  await expect.poll(() => running.service.changes()).toHaveLength(1);
  await expect
    .poll(async () => JSON.stringify(await running.slack.messages('U0ALICE')))
    .not.toContain('Reboot web-01 (VPS-10001)?');
});

test('a list has a plain table where Slack refuses data tables, which is tried once', async () => {
  const refuse = () => running.slack.fault('refuse_block:data_table');
  const plainTable = expect.objectContaining({ type: 'table' });
  await refuse();
  await type('list');
  expect((await answer('12 VPS')).blocks).toContainEqual(plainTable);

  // A second data table would be refused too, and the fault would be gone.
  await refuse();
  await type('list');
  expect((await answer('12 VPS')).blocks).toContainEqual(plainTable);
  await running.slack.slash('list');
  expect((await running.slack.message('12 VPS')).blocks).toContainEqual(plainTable);
  const faults = await (await fetch(`${running.slack.url}/sandbox/faults`)).json();
  expect(faults).toMatchObject({ waiting: [{ fault: 'refuse_block:data_table', times: 1 }] });
});

test('what is no command gets help, in the thread in which it was typed', async () => {
  await type('good morning');
  const unknown = await answer('There\'s no command named "good"');
  expect(unknown.ephemeral).toBe(false);
  expect(readButtonLabels(unknown)).toContain('Help');
  await type('whoami', { thread_ts: unknown.ts });
  expect(await answer(/Alice|whoami|API key/i)).toMatchObject({ thread_ts: unknown.ts });
});
