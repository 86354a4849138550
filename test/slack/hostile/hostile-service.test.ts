import { expect, onTestFinished, test } from 'vitest';
import { allCases } from '../operations/cases/all-cases.ts';
import { alertingWatch, localCommands } from '../operations/local-commands.ts';
import { allOperations, listHostileFields, pingingValue } from './hostile-commands.ts';
import { confirmAll, openSelects, shareAll } from './hostile-driver.ts';
import { channels, type HostileHarness, startHostileHarness, waitForMessages } from './hostile-harness.ts';
import { hostileServices, secret } from './hostile-payloads.ts';

// The worst of the hostile services, with Slack. `rendered-texts.test.ts` checks the messages for all of them,
// and other hostile texts in commands, without Slack.

/** The first case of each operation on the service. */
const cases = [
  ...new Map(
    Object.values(allCases)
      .flat()
      .toReversed()
      .map((one) => [one.operation, one]),
  ).values(),
];

async function start(): Promise<HostileHarness> {
  const distort = hostileServices['names that would ping, with markup, and secrets in odd places'];
  const stage = await startHostileHarness({ distort });
  onTestFinished(stage.close);
  return stage;
}

test('every operation on the service gets a reply that Slack accepts, that mentions nobody and keeps secrets', async () => {
  const stage = await start();
  for (const [index, { command }] of cases.entries()) {
    await stage.slack.slash(command, { channel: channels[index % channels.length] ?? '' });
    await stage.passTime(1_000);
  }
  await confirmAll(stage, await waitForMessages(stage, cases.length));
  await waitForMessages(stage, cases.length);
  await openSelects(stage);
  await stage.slack.act('home', { user: 'U0ALICE' });
  await expect.poll(() => stage.slack.home()).toContain('"blocks"');
  expect(await shareAll(stage)).toBeGreaterThan(0);
  await waitForMessages(stage, cases.length);
  await stage.expectHarmless([secret]);
});

/** Few enough that the sandbox, which keeps the latest 1,000 requests, still has all of them. */
const batchSize = 10;

test("a hostile value in any argument of an operation on Rackhand's own data gets such a reply, also when it is shown later", async () => {
  const stage = await start();
  const local = allOperations.filter(({ kind }) => kind === 'local');
  const commands = [
    ...localCommands,
    alertingWatch,
    'report add daily 09:00 --name "Fleet, daily"',
    'watch add VPS-100* cpu > 99% --name "CPU of VPS-100*"',
    ...listHostileFields(local, [pingingValue]),
    ...['report list', 'watch list', 'maintenance list', 'access', 'approval list', 'service', 'history'],
  ];
  for (const [index, text] of commands.entries()) {
    await stage.passTime(1_000);
    const channel = channels[index % channels.length] ?? '';
    expect(await stage.slack.slash(text, { channel })).toMatchObject({ acknowledged: true });
    const typed = index + 1;
    if (typed % batchSize !== 0 && typed !== commands.length) continue;
    await expect.poll(() => stage.saidCount()).toBeGreaterThanOrEqual(typed);
    await stage.expectHarmless([secret]);
  }
  await stage.slack.act('home', { user: 'U0ALICE' });
  await stage.slack.untilSeen(async () => expect(await stage.slack.home()).toContain('VPS-10001'));
  await stage.expectHarmless([secret]);
});
