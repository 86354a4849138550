import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { hostileCommand, mayChange } from './hostile-commands.ts';
import { type HostileHarness, startHostileHarness } from './hostile-harness.ts';

let stage: HostileHarness;
afterEach(() => stage.close());

/**
 * As many as there is time for with the whole stack; the others are in `rendered-texts.test.ts`.
 */
const typedWholly = 300;

const askers = ['U0ALICE', 'U0BOB', 'U0CAROL'];

test('any typed text gets a reply, changes nothing and mentions nobody', async () => {
  stage = await startHostileHarness({});
  const texts = fc.sample(hostileCommand, typedWholly).filter((text) => !mayChange(text));
  for (const [index, text] of texts.entries()) {
    const { acknowledged } = await stage.slack.slash(text, { user: askers[index % askers.length] ?? '' });
    expect(acknowledged).toBe(true);
  }
  await expect.poll(() => stage.saidCount(), { timeout: 20_000 }).toBeGreaterThanOrEqual(texts.length);
  expect(await stage.service.changes()).toEqual([]);
  expect((await stage.answers()).filter(({ text }) => text.includes('went wrong inside'))).toEqual([]);
  await stage.expectHarmless([], []);
}, 60_000);
