import { afterEach, beforeEach, expect, test } from 'vitest';
import { blocksText, grantAll, type RunningStack, type SlackMessage, startStack } from '../../stack.ts';
import { readButtonLabels, readTable, runCommand } from '../command-driver.ts';
import { waitForEnd } from '../wait-for-end.ts';

let running: RunningStack;

beforeEach(async () => {
  running = await startStack({ grants: grantAll('operate', 'U0BOB'), followsSlackClock: true });
});
afterEach(() => running.close());

const set = (text: string) => runCommand(running, `settings ${text}`, /^Your settings were saved$/);

/** Confirms the reboot of a VPS. */
async function reboot(vps: string, { channel = 'C0OPS', user = 'U0ALICE' } = {}): Promise<void> {
  const card = await runCommand(running, `reboot ${vps}`, /^Reboot .*\?$/, { user, channel });
  await running.slack.click(card, 'confirm', { user, channel });
}

/** Returns Alice's direct messages that say how a change ended. */
const notices = async (): Promise<readonly SlackMessage[]> =>
  (await running.slack.messages('U0ALICE')).filter((one) => blocksText(one).includes('Show the message'));

/** Returns the time of day in UTC that is some hours from now. */
const hour = (offset: number) => new Date(Date.now() + offset * 3_600_000).toISOString().slice(11, 16);

const toChoice = (value: string) => ({ value: { type: 'static_select', selected_option: { value } } });
const toText = (value: string | null) => ({ value: { type: 'plain_text_input', value } });

test('one modal opens by command, in direct messages and from Home, and shows what is set', async () => {
  const { slack } = running;
  await slack.slash('settings');
  const first = await slack.modal();
  expect(blocksText(first)).toMatch(/"initial_option":\{"text":\{[^}]*\},"value":"off"\}/);
  const values = { notify: toChoice('failed'), lists: toChoice('compact'), quiet: toText(null) };
  const rejected = await slack.submit(first, { ...values, zone: toText('Berlin') });
  expect(JSON.stringify(rejected)).toContain('did you mean Europe/Berlin?');
  await slack.submit(first, { ...values, zone: toText('europe/berlin') });
  expect(blocksText(await slack.message('Your settings were saved'))).toMatch(
    /When it fails.*Europe\/Berlin/,
  );

  await slack.act('home', { user: 'U0ALICE' });
  const home = await slack.untilSeen(async () => {
    const views = (await (await fetch(`${slack.url}/sandbox/views?user=U0ALICE`)).json()) as {
      home: {
        id: string;
        blocks: { elements?: { text?: { text: string }; action_id: string; value: string }[] }[];
      };
    };
    const settings = views.home.blocks[0]?.elements?.find(({ text }) => text?.text === 'Settings');
    if (!settings) throw new Error('Home has no button for the settings');
    return { view: views.home.id, action_id: settings.action_id, value: settings.value };
  });
  await slack.act('click', { user: 'U0ALICE', ...home });
  const second = await slack.modal();
  expect(blocksText(second)).toContain('Europe/Berlin');
  // An empty field removes the value.
  await slack.submit(second, { ...values, zone: toText(null) });
  await expect.poll(async () => JSON.stringify(await slack.openModals())).toContain('as in Slack');
  // A typed message can't open a modal, so it gets a button.
  await slack.act('message', { user: 'U0ALICE', channel: 'U0ALICE', text: 'settings' });
  expect(readButtonLabels(await slack.message('open the form', 'U0ALICE'))).toEqual(['Open Form']);
  await slack.act('message', { user: 'U0ALICE', channel: 'U0ALICE', text: 'settings --notify off' });
  const saved = blocksText(await slack.message('Your settings were saved', 'U0ALICE'));
  expect(saved).toMatch(/Never.*Europe\/Berlin, as in Slack.*One line per VPS/);
});

test('what cannot be understood is said, and changes nothing', async () => {
  const { slack } = running;
  await runCommand(running, 'settings --notify always', /Choose off, failed or ended/);
  await runCommand(running, 'settings --zone Mars/Olympus', /Unknown time zone "Mars\/Olympus"/);
  await runCommand(running, 'settings --quiet "at night"', /Give quiet hours such as/);
  await runCommand(running, 'settings --quiet mon-sun', /Leave some time of the week/);
  await runCommand(running, `settings --quiet ${'x'.repeat(2_900)}`, /Use at most 400 characters/);
  await runCommand(running, `settings --quiet ${'x'.repeat(3_000)}`, /Too long: a command has at most/);
  await slack.slash('settings');
  expect(blocksText(await slack.modal())).toMatch(/"value":"off"/);
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

test('who only wants to know about failures is told why a change failed', async () => {
  const { service, slack } = running;
  await set('--notify failed');
  await reboot('web-01');
  await waitForEnd(running, 'Reboot web-01 (VPS-10001)');
  await service.fault('status:409', { method: 'POST', path: '/v1/vps/VPS-10002/action' });
  await reboot('web-02');
  const told = await slack.message('Reboot web-02 (VPS-10002): ❌ Failed', 'U0ALICE');
  expect(blocksText(told)).toContain('Show the message');
  expect(await notices()).toHaveLength(1);
});

test('during quiet hours, the message waits until they end', async () => {
  const { slack } = running;
  await set(`--notify ended --zone UTC --quiet ${hour(-1)}-${hour(1)}`);
  await reboot('web-01');
  await waitForEnd(running, 'Reboot web-01 (VPS-10001)');
  // The message is planned for the end.
  await set('--lists compact');
  expect(await notices()).toEqual([]);
  await slack.act('clock', { advance_ms: 3_700_000 });
  await slack.message('Reboot web-01 (VPS-10001): ✅ Done', 'U0ALICE');
  expect(await notices()).toHaveLength(1);
});

test('what Rackhand sends by itself waits too, and what was asked for does not', async () => {
  const { slack } = running;
  await running.slack.slash('history --to #general');
  await slack.message('The activity log is now posted to a channel');
  await slack.message('The activity log is posted to this channel', 'C0GENERAL');
  await set(`--zone UTC --quiet ${hour(-1)}-${hour(1)}`);
  await slack.act('slash', {
    team: 'T0ACME',
    user: 'U0ALICE',
    channel: 'C0GENERAL',
    command: '/archive',
    text: '',
  });
  // The denial is the entry that can't be posted anymore.
  await runCommand(running, 'reboot VPS-10001', /don't have permission/, {
    user: 'U0CAROL',
    channel: 'C0OPS',
  });
  await expect
    .poll(async () => (await fetch(`${slack.url}/sandbox/traffic`)).text(), { timeout: 60_000 })
    .toContain('is_archived');
  await slack.act('message', { user: 'U0ALICE', channel: 'U0ALICE', text: 'list' });
  await slack.message('12 VPS', 'U0ALICE');
  const texts = async () => (await slack.messages('U0ALICE')).map(({ text }) => text).join('\n');
  expect(await texts()).not.toContain('no longer posted');
  await slack.act('clock', { advance_ms: 3_700_000 });
  await slack.message('The activity log is no longer posted to a channel', 'U0ALICE');
  expect((await texts()).match(/no longer posted/g)).toHaveLength(1);
});

test('the zone is used for times that the person types, and the list has one line a VPS', async () => {
  const { slack } = running;
  await set('--zone Asia/Tokyo --lists compact');
  await slack.slash('schedule reboot VPS-10001 "tomorrow 03:00"');
  expect(blocksText(await slack.message('Schedule this?'))).toContain('03:00, Asia/Tokyo');

  const list = await runCommand(running, 'list', /^12 VPS$/);
  expect(readTable(list)).toEqual([]);
  expect(blocksText(list).match(/\(VPS-\d+\)/g)).toHaveLength(12);
  expect(blocksText(list)).toMatch(/web-01 \(VPS-10001\).*🟢 running/);
  const bobs = await runCommand(running, 'list', /^12 VPS$/, { user: 'U0BOB', channel: 'C0OPS' });
  expect(readTable(bobs)).toHaveLength(12);
});

test('network traffic is in bits for whoever wants that, and in bytes for others', async () => {
  const { service } = running;
  await service.load('VPS-10001', { netin: 1_500_000, netout: 125_000 });
  await set('--traffic bits');
  const live = blocksText(await runCommand(running, 'live VPS-10001', /right now/));
  expect(live).toContain('12 Mbit/s');
  expect(live).toContain('1 Mbit/s');
  expect(live).toMatch(/Disk read: .*?[KM]iB\/s/);
  expect(blocksText(await runCommand(running, 'graph VPS-10001 hour', /last hour/))).toMatch(
    /Network in [\d.]+ [kM]bit\/s on average/,
  );
  const bobs = await runCommand(running, 'live VPS-10001', /right now/, { user: 'U0BOB', channel: 'C0OPS' });
  expect(blocksText(bobs)).toContain('1.43 MiB/s');
});
