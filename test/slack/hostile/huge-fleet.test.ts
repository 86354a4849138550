import { expect, onTestFinished, test } from 'vitest';
import { blocksText } from '../../stack.ts';
import { startHostileHarness } from './hostile-harness.ts';

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
