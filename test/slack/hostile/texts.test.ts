import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { type HostileStage, startHostileStage } from './stage.ts';
import { mayChange, typedText } from './texts.ts';

let stage: HostileStage;
afterEach(() => stage.close());

/** As many as the whole way, from the command line to the answer, has time for; the others are in `rendered-texts.test.ts`. */
const typedWholly = 300;

const askers = ['U0ALICE', 'U0BOB', 'U0CAROL'];

test('whatever is typed is answered, changes nothing and calls nobody', async () => {
  stage = await startHostileStage({});
  const texts = fc.sample(typedText, typedWholly).filter((text) => !mayChange(text));
  for (const [index, text] of texts.entries()) {
    const { acknowledged } = await stage.slack.slash(text, { user: askers[index % askers.length] ?? '' });
    expect(acknowledged).toBe(true);
  }
  await expect.poll(() => stage.saidCount(), { timeout: 20_000 }).toBeGreaterThanOrEqual(texts.length);
  expect(await stage.service.changes()).toEqual([]);
  expect((await stage.answers()).filter(({ text }) => text.includes('went wrong inside'))).toEqual([]);
  await stage.expectHarmless([], []);
}, 60_000);
