import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { blocksText } from '../../stack.ts';
import { visibleText } from '../operations/visible-text.ts';
import { turnPages } from './hostile-driver.ts';
import { type HostileHarness, startHostileHarness, waitForMessages } from './hostile-harness.ts';

const vpsCount = 500;

let stage: HostileHarness;
beforeAll(async () => {
  stage = await startHostileHarness({ vpsCount });
});
afterAll(() => stage.close());

describe('a fleet of 500 VPS', () => {
  test('is listed in pages of 50, with its states counted first', async () => {
    await stage.slack.slash('list');
    const [answer] = await waitForMessages(stage, 1);
    const [title, states] = visibleText(answer?.blocks).split('\n');
    expect(title).toBe('500 VPS');
    expect(states).toMatch(/^States: \d+ running, \d+ stopped$/);
    expect(visibleText(answer?.blocks)).toContain('1 to 50 of 500');

    await turnPages(stage);
    const [turned] = await waitForMessages(stage, 1);
    expect(visibleText(turned?.blocks)).toContain('151 to 200 of 500');
    expect(visibleText(turned?.blocks)).toContain('(VPS-10200) | ');
    await stage.expectHarmless();
  });

  test('is too large for one batch', async () => {
    await stage.slack.slash('reboot VPS-*');
    const [, answer] = await waitForMessages(stage, 2);
    expect(visibleText(answer?.blocks)).toContain('These are 500 VPS. At most 50 can be changed at once');
    await stage.expectHarmless();
  });

  test('is searched while typing, beyond the 100 options of a select', async () => {
    await stage.slack.slash('show');
    const { id } = await stage.slack.modal();
    const suggest = (text: string) =>
      stage.slack.act('suggest', { user: 'U0ALICE', view: id, action_id: 'remote', text });
    expect((await suggest('')).options).toHaveLength(100);
    expect((await suggest('10487')).options?.map(({ value }) => value)).toEqual(['VPS-10487']);
    await stage.expectHarmless();
  });

  test('is shown on the App Home in pages, with a search select', async () => {
    await stage.slack.act('home', { user: 'U0ALICE' });
    await expect.poll(async () => visibleText((await homeBlocks()) ?? [])).toContain('500 VPS');
    const words = visibleText(await homeBlocks());
    expect(words).toContain('1 to 15 of 500');
    expect(words).toContain('Find a VPS…');
    await stage.expectHarmless();
  });
});

async function homeBlocks(): Promise<readonly unknown[] | undefined> {
  const answer: unknown = await (await fetch(`${stage.slack.url}/sandbox/views?user=U0ALICE`)).json();
  return z.object({ home: z.object({ blocks: z.array(z.unknown()) }).nullable() }).parse(answer).home?.blocks;
}

const filler = 'x'.repeat(9 * 2 ** 20);

/** Makes the list of VPS larger than 8 MiB. */
function fillList(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'vps' in data ? { ...data, filler } : data;
}

test('a VPS can be reached by its VPS name if the list is too large to read', async () => {
  const stage = await startHostileHarness({
    distort: { transform: fillList, extend: fillList, error: (body) => body },
  });
  onTestFinished(stage.close);
  const { slack } = stage;
  const suggest = async (text: string) => {
    const select = { user: 'U0ALICE', view: (await slack.modal()).id, block_id: 'vps', action_id: 'remote' };
    return JSON.stringify(await slack.act('suggest', { ...select, text }));
  };
  await slack.slash('list');
  await slack.message("is larger than 8 MiB, so Rackhand didn't read it");
  await slack.slash('show VPS-10012');
  await slack.message(/^VPS-10012$/);
  await slack.slash('reboot web-07.acme.example');
  const notFound = await slack.message('Rackhand found no VPS called "web-07.acme.example"');
  expect(blocksText(notFound)).toContain("Rackhand couldn't read the whole list.");
  await slack.slash('reboot');
  await expect.poll(() => suggest('VPS-10012')).toContain('"value":"VPS-10012"');
});
