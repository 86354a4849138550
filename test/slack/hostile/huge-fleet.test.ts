import { expect, test } from 'vitest';
import { blocksText, type RunningStack, startStack } from '../../stack.ts';

async function suggest({ slack }: RunningStack, text: string): Promise<string> {
  const { id } = await slack.modal();
  const select = { user: 'U0ALICE', view: id, block_id: 'vps', action_id: 'remote' };
  return JSON.stringify(await slack.act('suggest', { ...select, text }));
}

test('a VPS can be reached by its VPS name if the list is too large to read', async () => {
  // The list has more than 8 MiB.
  const running = await startStack({ hosting: { vpsCount: 34_000, quota: 1_000 } });
  const { slack } = running;
  try {
    await slack.slash('list');
    await slack.message("is larger than 8 MiB, so Rackhand didn't read it");
    await slack.slash('show VPS-44000');
    await slack.message(/^VPS-44000$/);
    await slack.slash('reboot web-07.acme.example');
    const notFound = await slack.message('Rackhand found no VPS called "web-07.acme.example"');
    expect(blocksText(notFound)).toContain("Rackhand couldn't read the whole list.");
    await slack.slash('reboot');
    await expect.poll(() => suggest(running, 'VPS-44000')).toContain('"value":"VPS-44000"');
  } finally {
    await running.close();
  }
});
