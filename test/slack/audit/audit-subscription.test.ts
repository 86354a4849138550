import { describe, expect, test } from 'vitest';
import { useStack } from '../../use-stack.ts';
import { bob, runCommand } from '../command-driver.ts';

const running = useStack({}, 'group');

/** The texts that Carol, an ordinary member, sees in the subscribed channel. */
async function readLog(): Promise<string[]> {
  const messages = await running.slack.messages('C0GENERAL', 'U0CAROL');
  return messages.map(({ blocks }) =>
    [...JSON.stringify(blocks).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text).join(''),
  );
}

const waitForLog = (pattern: RegExp) =>
  expect.poll(async () => (await readLog()).join('\n')).toMatch(pattern);

async function subscribe(): Promise<void> {
  await runCommand(running, 'history --to #general', /The activity log is now posted to a channel/);
  await waitForLog(/The activity log is posted to this channel/);
  await waitForLog(/history · ✅ Done · alice · \d+ (ms|s) · The activity log is now posted to a channel/);
}

describe('history --to', () => {
  test('posts changes and denials to the channel, and mentions nobody', async () => {
    await subscribe();
    await runCommand(running, 'show VPS-10001', /VPS-10001/);
    await runCommand(running, 'reboot VPS-10001', /don't have permission/, bob);
    const card = await runCommand(running, 'reboot VPS-10002', /Reboot web-02 \(VPS-10002\)\?/);
    await running.slack.click(card, 'confirm');
    await waitForLog(/Reboot web-02 \(VPS-10002\) · ✅ Done · alice · \d+ (ms|s)/);
    await waitForLog(/Reboot web-01 \(VPS-10001\) · 🚫 Refused · bob · /);
    expect((await readLog()).join('\n')).not.toContain('show');
    const messages = await running.slack.messages('C0GENERAL', 'U0CAROL');
    expect(messages.flatMap(({ pings }) => pings)).toEqual([]);
  });

  test('ends with the channel, as its creator is told, /readyz and the metrics', async () => {
    const { slack, serverUrl } = running;
    await subscribe();
    await slack.act('slash', { user: 'U0ALICE', channel: 'C0GENERAL', command: '/archive', text: '' });
    await runCommand(running, 'reboot VPS-10001', /don't have permission/, bob);
    await slack.message(/The activity log is no longer posted to a channel/, 'U0ALICE');
    expect(await (await fetch(`${serverUrl}/readyz`)).json()).toMatchObject({
      status: 'ready',
      messages: { late: 0, givenUp: [{ kind: 'audit', problem: 'is_archived', count: 1 }] },
    });
    expect(await (await fetch(`${serverUrl}/metrics`)).text()).toMatch(
      /^rackhand_messages_given_up_total\{kind="audit"\} 1$/m,
    );
  });
});
