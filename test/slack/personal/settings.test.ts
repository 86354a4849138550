import { expect, test } from 'vitest';
import { blocksText, grantAll, type SlackMessage } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';
import { readButtonLabels, runCommand } from '../command-driver.ts';
import { waitForEnd } from '../wait-for-end.ts';

const running = useStack({ grants: grantAll('operate', 'U0BOB'), followsSlackClock: true }, 'group');

const set = (text: string) => runCommand(running, `settings ${text}`, /^Your settings were saved$/);

/** Confirms the reboot of a VPS. */
async function reboot(vps: string, { channel = 'C0OPS', user = 'U0ALICE' } = {}): Promise<void> {
  const card = await runCommand(running, `reboot ${vps}`, /^Reboot .*\?$/, { user, channel });
  await running.slack.click(card, 'confirm', { user, channel });
}

/** Returns Alice's direct messages that say how a change ended. */
const notices = async (): Promise<readonly SlackMessage[]> =>
  (await running.slack.messages('U0ALICE')).filter((one) => blocksText(one).includes('Show the message'));

const toChoice = (value: string) => ({ value: { type: 'static_select', selected_option: { value } } });
const toText = (value: string | null) => ({ value: { type: 'plain_text_input', value } });

test('one modal opens by command and in direct messages, and shows what is set', async () => {
  const { slack } = running;
  await slack.slash('settings');
  const first = await slack.modal();
  expect(blocksText(first)).toMatch(/"initial_option":\{"text":\{[^}]*\},"value":"off"\}/);
  const values = { notify: toChoice('failed') };
  const rejected = await slack.submit(first, { ...values, zone: toText('Berlin') });
  expect(JSON.stringify(rejected)).toContain('did you mean Europe/Berlin?');
  await slack.submit(first, { ...values, zone: toText('europe/berlin') });
  expect(blocksText(await slack.message('Your settings were saved'))).toMatch(
    /When a change fails.*Europe\/Berlin/,
  );

  await slack.slash('settings');
  const second = await slack.modal();
  expect(blocksText(second)).toContain('Europe/Berlin');
  // An empty field removes the value.
  await slack.submit(second, { ...values, zone: toText(null) });
  expect(blocksText(await slack.message('Your settings were saved'))).toContain('as in Slack');
  // A typed message can't open a modal, so it gets a button.
  await slack.act('message', { user: 'U0ALICE', channel: 'U0ALICE', text: 'settings' });
  expect(readButtonLabels(await slack.message('open the form', 'U0ALICE'))).toEqual(['Open Form']);
  await slack.act('message', { user: 'U0ALICE', channel: 'U0ALICE', text: 'settings --notify off' });
  const saved = blocksText(await slack.message('Your settings were saved', 'U0ALICE'));
  expect(saved).toMatch(/Never.*Europe\/Berlin, as in Slack/);
});

test('a person is told once, with a link, when their change is done', async () => {
  await set('--notify ended');
  await reboot('web-01');
  const run = await waitForEnd(running, 'Reboot web-01 (VPS-10001)');
  const told = await running.slack.message('Reboot web-01 (VPS-10001): ✅ Done', 'U0ALICE');
  expect(blocksText(told)).toContain(`/archives/C0OPS/p${run.ts.replace('.', '')}|Show the message>`);
  expect(blocksText(told)).toContain('is running now');

  // Others are not told, and neither is Alice where she reads the change anyway.
  await reboot('web-02', { user: 'U0BOB' });
  await waitForEnd(running, 'Reboot web-02 (VPS-10002)');
  await reboot('api-01', { channel: 'U0ALICE' });
  await waitForEnd(running, 'Reboot api-01 (VPS-10003)', '✅ Done', { channel: 'U0ALICE' });
  await reboot('worker-01');
  await waitForEnd(running, 'Reboot worker-01 (VPS-10004)');
  await running.slack.message('Reboot worker-01 (VPS-10004): ✅ Done', 'U0ALICE');
  const titles = (await notices()).map(({ text }) => text);
  expect(titles).toEqual([expect.stringContaining('web-01'), expect.stringContaining('worker-01')]);
});

test('the zone is used for times that the person types', async () => {
  const { slack } = running;
  await set('--zone Asia/Tokyo');
  await slack.slash('schedule reboot VPS-10001 "tomorrow 03:00"');
  expect(blocksText(await slack.message('Schedule this?'))).toContain('03:00, Asia/Tokyo');
});
