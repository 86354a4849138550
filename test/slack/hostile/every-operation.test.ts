import { expect, onTestFinished, test } from 'vitest';
import { allCases } from '../operations/cases/all-cases.ts';
import { alertingWatch, localCommands } from '../operations/local-commands.ts';
import { readReply } from '../operations/read-reply.ts';
import { confirmAll, openSelects, shareAll, turnPages } from './hostile-driver.ts';
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

test.each(['names that would ping, with markup', 'lists of 300', 'secrets in odd places'])(
  'of a service that sends hostile data, every operation gets a reply that Slack accepts, that mentions nobody and keeps secrets: %s',
  async (name) => {
    const distort = hostileServices[name];
    if (!distort) throw new Error(`there is no service with ${name}`);
    const stage = await startHostileHarness({ distort });
    onTestFinished(stage.close);
    for (const [index, { command }] of cases.entries()) {
      await stage.slack.slash(command, { channel: channels[index % channels.length] ?? '' });
      await stage.passTime(1_000);
    }
    const answers = await waitForMessages(stage, cases.length);
    await stage.expectHarmless([secret]);

    await confirmAll(stage, answers);
    await waitForMessages(stage, cases.length);
    await turnPages(stage);
    await openSelects(stage);
    await stage.slack.act('home', { user: 'U0ALICE' });
    await expect.poll(() => stage.slack.home()).toContain('"blocks"');
    expect(await shareAll(stage)).toBeGreaterThan(0);
    await waitForMessages(stage, cases.length);
    await stage.expectHarmless([secret]);
  },
);

test("of such a service, every operation on Rackhand's own data gets a harmless reply too", async () => {
  const distort = hostileServices['names that would ping, with markup'];
  const stage = await startHostileHarness({ ...(distort && { distort }) });
  onTestFinished(stage.close);
  for (const command of [...localCommands, alertingWatch]) await typeCommand(stage, command);
  await stage.slack.untilSeen(async () => {
    const texts = (await stage.slack.messages('U0ALICE')).map(({ text }) => text);
    expect(texts.filter((text) => /⏳|🔄/.test(text))).toEqual([]);
  });
  await stage.expectHarmless([secret]);
});
