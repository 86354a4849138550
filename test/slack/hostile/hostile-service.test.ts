import { expect, onTestFinished, test } from 'vitest';
import { suggest } from '../modals/form/form-driver.ts';
import { alertingWatch, localCommands } from '../operations/local-commands.ts';
import { allOperations, listHostileFields, pingingValue } from './hostile-commands.ts';
import { channels, startHostileHarness } from './hostile-harness.ts';
import { hostileServices, secret } from './hostile-payloads.ts';

// The worst of the hostile services, with Slack. `rendered-texts.test.ts` checks the messages of each operation for
// all of them, and other hostile texts in commands, without Slack.

/** Few enough that the sandbox, which keeps the latest 1,000 requests, still has all of them. */
const batchSize = 10;

test("a hostile value in any argument of an operation on Rackhand's own data gets such a reply, also when it is shown later", async () => {
  const distort = hostileServices['names that would ping, with markup, and secrets in odd places'];
  const stage = await startHostileHarness({ distort });
  onTestFinished(stage.close);
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
  await stage.slack.slash('show');
  // An earlier command's form stays open until this one replaces it.
  await stage.slack.untilSeen(async () => expect(await suggest(stage, 'vps')).not.toEqual([]));
  await stage.expectHarmless([secret]);
});
