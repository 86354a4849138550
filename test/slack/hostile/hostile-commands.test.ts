import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { canChange, fullCatalogue, hostileCommand, listHostileFields } from './hostile-commands.ts';
import { channels, type HostileHarness, startHostileHarness } from './hostile-harness.ts';

let stage: HostileHarness;
beforeEach(async () => {
  stage = await startHostileHarness({});
});
afterEach(() => stage.close());

/**
 * As many as there is time for with the whole stack; the others are in `rendered-texts.test.ts`.
 */
const typedWholly = 100;

const askers = ['U0ALICE', 'U0BOB', 'U0CAROL'];

/** Few enough that the sandbox, which keeps the latest 1,000 requests, still has all of them. */
const batchSize = 200;

/** Types commands, one after another. Waits until each has a reply, and expects that no reply harms anyone. */
async function typeAll(
  commands: readonly string[],
  people: readonly string[],
  mentioned: readonly string[],
): Promise<void> {
  for (const [index, text] of commands.entries()) {
    await stage.passTime(1_000);
    const user = people[index % people.length] ?? '';
    const channel = channels[index % channels.length] ?? '';
    expect(await stage.slack.slash(text, { user, channel })).toMatchObject({ acknowledged: true });
    const typed = index + 1;
    if (typed % batchSize !== 0 && typed !== commands.length) continue;
    await expect.poll(() => stage.saidCount()).toBeGreaterThanOrEqual(typed);
    await stage.expectHarmless([], mentioned);
  }
}

test('any typed text gets a reply, changes nothing and mentions nobody', async () => {
  const texts = fc.sample(hostileCommand, typedWholly).filter((text) => !canChange(text));
  await typeAll(texts, askers, []);
  expect(await stage.service.changes()).toEqual([]);
});

test('a hostile value in any argument of any operation gets a reply, and mentions nobody when it is shown later', async () => {
  const prepare = [
    'report add daily 09:00 --name "Fleet, daily"',
    'watch add VPS-100* cpu > 99% --name "CPU of VPS-100*"',
  ];
  const show = [
    'report list',
    'watch list',
    'mutes',
    'alias list',
    'access',
    'approval list',
    'service',
    'history',
  ];
  const commands = [...prepare, ...listHostileFields(fullCatalogue), ...show];
  await typeAll(commands, ['U0ALICE'], ['U0ALICE']);
  await stage.slack.act('home', { user: 'U0ALICE' });
  await stage.slack.untilSeen(async () => expect(await stage.slack.home()).toContain('VPS-10001'));
  await stage.expectHarmless();
  // The validator's own words, which name types instead of arguments.
  const texts = (await stage.answers()).map(({ text }) => text);
  expect(
    texts.filter((text) => /Too (big|small)|Invalid (input|string|option)|expected /.test(text)),
  ).toEqual([]);
  // Each word of a list has the same problem.
  expect(texts.filter((text) => text.split('A pattern is a VPS name').length > 2)).toEqual([]);
}, 300_000);
