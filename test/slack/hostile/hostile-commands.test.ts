import { expect, onTestFinished, test } from 'vitest';
import { allOperations, listHostileFields, pingingValue } from './hostile-commands.ts';
import { channels, startHostileHarness } from './hostile-harness.ts';

// `rendered-texts.test.ts` tries other hostile texts with all operations, without Slack.

/** Few enough that the sandbox, which keeps the latest 1,000 requests, still has all of them. */
const batchSize = 200;

test("a hostile value in any argument of an operation on Rackhand's own data gets a reply, and mentions nobody when it is shown later", async () => {
  const stage = await startHostileHarness({});
  onTestFinished(stage.close);
  const prepare = [
    'report add daily 09:00 --name "Fleet, daily"',
    'watch add VPS-100* cpu > 99% --name "CPU of VPS-100*"',
  ];
  const show = [
    'report list',
    'watch list',
    'maintenance list',
    'access',
    'approval list',
    'service',
    'history',
  ];
  const local = allOperations.filter(({ kind }) => kind === 'local');
  const commands = [...prepare, ...listHostileFields(local, [pingingValue]), ...show];
  for (const [index, text] of commands.entries()) {
    await stage.passTime(1_000);
    const channel = channels[index % channels.length] ?? '';
    expect(await stage.slack.slash(text, { channel })).toMatchObject({ acknowledged: true });
    const typed = index + 1;
    if (typed % batchSize !== 0 && typed !== commands.length) continue;
    await expect.poll(() => stage.saidCount()).toBeGreaterThanOrEqual(typed);
    await stage.expectHarmless();
  }
  await stage.slack.act('home', { user: 'U0ALICE' });
  await stage.slack.untilSeen(async () => expect(await stage.slack.home()).toContain('VPS-10001'));
  await stage.expectHarmless();
});
