import { expect, onTestFinished, test } from 'vitest';
import { allCases } from '../operations/cases/all-cases.ts';
import { alertingWatch, localCommands } from '../operations/local-commands.ts';
import { readReply } from '../operations/read-reply.ts';
import { confirmAll, openSelects, shareAll } from './hostile-driver.ts';
import { channels, type HostileHarness, startHostileHarness, waitForMessages } from './hostile-harness.ts';
import { hostileServices, secret } from './hostile-payloads.ts';

// `rendered-texts.test.ts` checks the messages for all hostile services, without Slack.

/** The first case of each operation on the service. */
const cases = [
  ...new Map(
    Object.values(allCases)
      .flat()
      .toReversed()
      .map((one) => [one.operation, one]),
  ).values(),
];

/** Types a command and waits for its reply. A report can arrive later, in the person's DMs. */
async function typeCommand(stage: HostileHarness, command: string): Promise<void> {
  if (!command.startsWith('report run')) {
    await readReply(stage, command);
    return;
  }
  await stage.passTime(1_000);
  await stage.slack.slash(command);
  await stage.slack.message(/./);
}

/** Starts the app with a service that sends hostile data. */
async function startWith(service: string): Promise<HostileHarness> {
  const distort = hostileServices[service];
  if (!distort) throw new Error(`there is no service with ${service}`);
  const stage = await startHostileHarness({ distort });
  onTestFinished(stage.close);
  return stage;
}

/** Runs every operation on the service, and presses every kind of button on its replies. */
async function walkThrough(stage: HostileHarness): Promise<void> {
  for (const [index, { command }] of cases.entries()) {
    await stage.slack.slash(command, { channel: channels[index % channels.length] ?? '' });
    await stage.passTime(1_000);
  }
  const answers = await waitForMessages(stage, cases.length);
  await stage.expectHarmless([secret]);

  await confirmAll(stage, answers);
  await waitForMessages(stage, cases.length);
  await openSelects(stage);
  await stage.slack.act('home', { user: 'U0ALICE' });
  await expect.poll(() => stage.slack.home()).toContain('"blocks"');
  expect(await shareAll(stage)).toBeGreaterThan(0);
  await waitForMessages(stage, cases.length);
  await stage.expectHarmless([secret]);
}

test('of a service that sends names that would ping, and secrets in odd places, every operation gets a reply that Slack accepts, that mentions nobody and keeps secrets', async () => {
  await walkThrough(await startWith('names that would ping, and secrets in odd places'));
});

test("of a service that sends names that would ping, every operation on Rackhand's own data gets a harmless reply", async () => {
  const stage = await startWith('names that would ping, with markup');
  for (const command of [...localCommands, alertingWatch]) await typeCommand(stage, command);
  await stage.slack.untilSeen(async () => {
    const texts = (await stage.slack.messages('U0ALICE')).map(({ text }) => text);
    expect(texts.filter((text) => /⏳|🔄/.test(text))).toEqual([]);
  });
  await stage.expectHarmless([secret]);
});
