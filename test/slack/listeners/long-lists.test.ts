import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blocksText, type RunningStack, startStack } from '../../stack.ts';

const user = 'U0ALICE';

let running: RunningStack;
afterEach(() => running.close());

async function callsOf(path: RegExp) {
  return (await running.service.calls()).filter((call) => path.test(call.path));
}

describe('with a list of VPS in 120 pages', () => {
  beforeEach(async () => {
    running = await startStack({ hosting: { vpsCount: 600, pageSize: 5 } });
  });

  test('the list says that it is incomplete', async () => {
    const { slack } = running;
    await slack.slash('list');
    const text = blocksText(await slack.message('The first 100 VPS'));
    expect(text).toContain('This list may be incomplete');
    expect(await callsOf(/^\/v1\/vps$/)).toHaveLength(20);
  });

  test('a select offers the pages that were read, and finds a VPS on any page by its name', async () => {
    const { slack } = running;
    await slack.slash('reboot');
    const view = await slack.modal();
    const suggest = (text: string) =>
      slack.act('suggest', { user, view: view.id, block_id: 'vps', action_id: 'remote', text });
    expect(JSON.stringify(await suggest('VPS-1000'))).toContain('There may be more than these');
    const [found] = (await suggest('vps-10600')).options ?? [];
    expect(found?.value).toBe('VPS-10600');
    const unlisted = (await suggest('VPS-99999')).options ?? [];
    expect(unlisted.map(({ text }) => text)).toEqual([
      expect.objectContaining({ text: 'Use “VPS-99999” anyway' }),
    ]);
  });
});
