import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { grantAll, type RunningStack, type SlackMessage, startStack } from '../../stack.ts';
import { bob, readAuditRows, readButtonLabels, runCommand } from '../command-driver.ts';
import { expectSpokenTargets } from '../operations/spoken-targets.ts';
import { visibleText } from '../operations/visible-text.ts';
import { advanceMinutes, advanceUntil } from './watch-driver.ts';

let running: RunningStack;
let clock: ManualClock;

beforeAll(async () => {
  clock = createManualClock(Date.now());
  running = await startStack({
    clock,
    hosting: { windowMs: 250, vpsCount: 4 },
    grants: [...grantAll('view', 'U0CAROL'), { grantee: 'U0BOB', right: 'operate', pattern: 'VPS-10004' }],
  });
});
afterAll(() => running.close());

beforeEach(async () => {
  // Otherwise Slack would limit the edits of all these tests together.
  await running.slack.act('clock', { advance_ms: 60_000 });
  for (let vps = 10_001; vps <= 10_004; vps += 1) await running.service.load(`VPS-${vps}`, { cpu: 0.2 });
});

const carol = { user: 'U0CAROL', channel: 'C0OPS' };
const run = (words: string, answer: RegExp, person?: typeof bob) =>
  runCommand(running, words, answer, person);
const add = (words: string) => run(`watch add ${words}`, /^Watch .+ was added$/);
const texts = ({ text }: SlackMessage) => text;

// Slack accepts one message a second in a channel, so the tests use two.
const channels = ['C0OPS', 'C0GENERAL'];

const seenInChannels = async () =>
  (await Promise.all(channels.map((channel) => running.slack.messages(channel, 'U0CAROL')))).flat();

/** Returns the alerts of a watch, oldest first. */
async function alertsOf(watch: string): Promise<readonly SlackMessage[]> {
  const seen = await seenInChannels();
  return seen.filter(
    (one) =>
      (one.thread_ts ?? one.ts) === one.ts &&
      /^[⚠✅]/.test(one.text) &&
      shownText(one).includes(`${watch}: CPU`),
  );
}

async function repliesTo({ ts }: SlackMessage): Promise<readonly SlackMessage[]> {
  return (await seenInChannels()).filter((one) => one.thread_ts === ts && one.ts !== ts);
}

/** Makes VPS-10004 busy and waits for the alert. */
async function begin(watch: string): Promise<SlackMessage> {
  await running.service.load('VPS-10004', { cpu: 0.95 });
  await advanceUntil(clock, async () => expect(await alertsOf(watch)).toHaveLength(1));
  return current(watch);
}

async function current(watch: string): Promise<SlackMessage> {
  const message = (await alertsOf(watch)).at(-1);
  if (!message) throw new Error('there is no alert');
  return message;
}

/** Waits until the newest alert of a watch contains a text, because its message is edited after the answer. */
const currentWith = (watch: string, text: string): Promise<SlackMessage> =>
  running.slack.untilSeen(async () => {
    const message = await current(watch);
    expect(shownText(message)).toContain(text);
    return message;
  });

async function press(message: SlackMessage, label: string, { user } = bob, channel = 'C0OPS'): Promise<void> {
  expect(readButtonLabels(message)).toContain(label);
  await running.slack.click(message, label, { user, channel });
}

const end = (watch: string) => run(`watch delete ${watch}`, /was deleted$/);

describe('a watch', () => {
  test('posts a test message that is marked as one and pings whom it notifies', async () => {
    await add('cpu > 90% --name Tested --channel #general --notify @carol');
    await run('watch test Tested', /^The test message of watch "Tested" was posted$/);
    const posted = (await seenInChannels()).find(({ text }) => text.startsWith('TEST'));
    expect(posted?.text).toBe('TEST of watch "Tested"; nothing is wrong');
    expect(posted?.pings).toEqual(['U0CAROL']);
    await end('Tested');
  });
});

describe('an alert', () => {
  test('pings whom its watch notifies, once, and shows who acknowledged it until it has ended', async () => {
    await add(
      'cpu > 90% for 0m --name Owned --notify @on-call --escalate 15m @alice --runbook https://wiki.example/cpu',
    );
    const shown = await run('watch show Owned', /^Owned$/);
    expect(shownText(shown)).toMatch(/Pages: .*Pages after 15 min without acknowledgment: /s);
    const alert = await begin('Owned');
    expectSpokenTargets(alert);
    expect(alert.pings).toEqual(['S0ONCALL']);
    expect(shownText(alert)).toContain('Pages after 15 min without acknowledgment: @alice');
    expect(readButtonLabels(alert)).toEqual(
      expect.arrayContaining(['Acknowledge', 'Assign', 'Mute for a Day']),
    );

    await press(alert, 'Acknowledge');
    await running.slack.message(/^You acknowledged the alert of watch "Owned"$/, 'C0OPS', 'U0BOB');
    const acknowledged = await currentWith('Owned', 'Acknowledged by: @bob');
    expect(shownText(acknowledged)).toContain('Paged: @on-call');
    expect(shownText(acknowledged)).toContain('Runbook: https://wiki.example/cpu');
    expect(shownText(acknowledged)).not.toContain('Pages after');
    expect(acknowledged.pings).toEqual([]);
    expect(readButtonLabels(acknowledged)).not.toContain('Acknowledge');
    await run('watch acknowledge Owned', /^Someone else has already acknowledged this alert$/);

    // Nobody is pinged after that: neither by an edit nor by the escalation.
    await advanceMinutes(running, clock, 17);
    expect((await current('Owned')).pings).toEqual([]);
    expect((await repliesTo(alert)).map(texts)).toEqual([
      expect.stringMatching(/^The alert of watch "Owned" was acknowledged/),
    ]);

    await running.service.load('VPS-10004', { cpu: 0.2 });
    await advanceUntil(clock, async () =>
      expect((await alertsOf('Owned')).map(texts)).toEqual([
        expect.stringMatching(/^✅ worker-01 \(VPS-10004\): CPU over 90% ended after \d+ min/),
      ]),
    );
    await currentWith('Owned', 'Acknowledged by: @bob');
    await run('watch acknowledge Owned', /Watch "Owned" has no open alert/);
    const history = await run('history', /^Activity/);
    expect(readAuditRows(history).join('\n')).toContain('watch acknowledge');
    await end('Owned');
  });

  test('is escalated once, can then be acknowledged by whoever it pages, and the watch says who cannot operate', async () => {
    const added = await add('cpu > 90% for 0m --name Paging --escalate 2m @carol');
    expect(shownText(added)).toContain(
      "@carol can acknowledge an alert, but doesn't have the right to operate any of these VPS.",
    );
    const alert = await begin('Paging');
    expect(alert.pings).toEqual([]);
    await advanceUntil(clock, async () => expect(await repliesTo(alert)).toHaveLength(1));
    const [escalated] = await repliesTo(alert);
    if (!escalated) throw new Error('the alert was not escalated');
    expect(escalated.text).toMatch(/^Not acknowledged for 2 min: worker-01 \(VPS-10004\): CPU 95%/);
    expect(escalated.pings).toEqual(['U0CAROL']);
    await advanceMinutes(running, clock, 4);
    expect(await repliesTo(alert)).toHaveLength(1);
    expect(shownText(await current('Paging'))).toContain('Then paged: @carol');
    await press(escalated, 'Acknowledge', carol);
    const reply = await running.slack.message(
      /^You acknowledged the alert of watch "Paging"$/,
      'C0OPS',
      'U0CAROL',
    );
    expect(shownText(reply)).toContain('The alert had already been escalated.');
    await currentWith('Paging', 'Then paged: @carol\nAcknowledged by: @carol');
    await end('Paging');
  });

  test('can be acknowledged only by people who can operate one of its VPS', async () => {
    await add('cpu > 90% for 0m --name Guarded');
    const alert = await begin('Guarded');
    await press(alert, 'Acknowledge', carol);
    await running.slack.message(/You don't have permission to operate any VPS/, 'C0OPS', 'U0CAROL');
    await run('access grant @carol operate VPS-10001', /^Granted: /);
    await press(alert, 'Acknowledge', carol);
    await running.slack.message(
      /operate any VPS in this alert, so you can't take it over/,
      'C0OPS',
      'U0CAROL',
    );
    expect(shownText(await current('Guarded'))).not.toContain('Acknowledged by');
    await end('Guarded');
  });

  test('is assigned with a ping', async () => {
    await add('cpu > 90% for 0m --name Handed --channel #general');
    const alert = await begin('Handed');
    await press(alert, 'Assign', bob, 'C0GENERAL');
    const form = await running.slack.modal('U0BOB');
    await running.slack.submit(
      form,
      { who: { remote: { type: 'external_select', selected_option: option('@carol', 'U0CAROL') } } },
      'U0BOB',
    );
    await running.slack.message(/^The alert of watch "Handed" was assigned$/, 'C0GENERAL', 'U0BOB');
    expect((await currentWith('Handed', 'Assigned to: @carol')).pings).toEqual([]);
    await running.slack.untilSeen(async () =>
      expect((await repliesTo(alert)).map(({ pings }) => pings)).toEqual([['U0CAROL']]),
    );
    await end('Handed');
  });

  test('says that its user group is gone, and so does the escalation', async () => {
    await add('cpu > 90% for 0m --name Gone --notify @on-call --escalate 5m @release');
    for (const group of ['on-call', 'release'])
      await running.slack.act('user-group', { user: 'U0ALICE', group, disabled: true });
    // Rackhand caches the members of a user group for a minute.
    await advanceMinutes(running, clock, 2);
    const alert = await begin('Gone');
    expect(alert.pings).toEqual([]);
    const gone = "was paged: this user group doesn't exist in Slack anymore.";
    expect(shownText(alert)).toContain(`No one ${gone}`);
    await advanceUntil(clock, async () => expect(await repliesTo(alert)).toHaveLength(1));
    const [escalated] = await repliesTo(alert);
    expect(escalated?.pings).toEqual([]);
    expect(escalated && shownText(escalated)).toContain(`No one else ${gone}`);
  });
});

const shownText = ({ blocks }: SlackMessage) => visibleText(blocks);

const option = (text: string, value: string) => ({ text: { type: 'plain_text', text }, value });
