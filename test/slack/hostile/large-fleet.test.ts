import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { wordsOf } from '../operations/reading.ts';
import { turnPages } from './acting.ts';
import { type HostileStage, settledAnswers, startHostileStage } from './stage.ts';

const vpsCount = 500;

/** Most time of a processor from the command to the answer, both sandboxes included: what the clock says depends on who else is at work. */
const mostWorkMs = 2_000;

let stage: HostileStage;
beforeEach(async () => {
  stage = await startHostileStage({ vpsCount });
});
afterEach(() => stage.close());

describe('a fleet of 500', () => {
  test('is listed with its states counted first, and in pages of 50', async () => {
    const before = process.cpuUsage();
    await stage.slack.slash('list');
    const [answer] = await settledAnswers(stage, 1);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(mostWorkMs);

    const [title, states] = wordsOf(answer?.blocks).split('\n');
    expect(title).toBe('500 VPS');
    expect(states).toMatch(/^States: \d+ running, \d+ stopped$/);
    expect(wordsOf(answer?.blocks)).toContain('1 to 50 of 500');

    await turnPages(stage);
    const [turned] = await settledAnswers(stage, 1);
    expect(wordsOf(turned?.blocks)).toContain('151 to 200 of 500');
    expect(wordsOf(turned?.blocks)).toContain('VPS-10200 | ');
    await stage.expectHarmless();
  });

  test('is searched as one types, beyond the 100 that a select holds', async () => {
    await stage.slack.slash('show');
    const { id } = await stage.slack.modal();
    const suggest = (text: string) =>
      stage.slack.act('suggest', { user: 'U0ALICE', view: id, action_id: 'remote', text });
    expect((await suggest('')).options).toHaveLength(100);
    expect((await suggest('10487')).options?.map(({ value }) => value)).toEqual(['VPS-10487']);
    await stage.expectHarmless();
  });

  test('is on the App Home in pages, with a select to find one', async () => {
    await stage.slack.act('home', { user: 'U0ALICE' });
    await expect.poll(async () => wordsOf((await homeBlocks()) ?? [])).toContain('500 VPS');
    const words = wordsOf(await homeBlocks());
    expect(words).toContain('1 to 15 of 500');
    expect(words).toContain('Find a VPS…');
    await stage.expectHarmless();
  });
});

async function homeBlocks(): Promise<readonly unknown[] | undefined> {
  const answer: unknown = await (await fetch(`${stage.slack.url}/sandbox/views?user=U0ALICE`)).json();
  return z.object({ home: z.object({ blocks: z.array(z.unknown()) }).nullable() }).parse(answer).home?.blocks;
}
