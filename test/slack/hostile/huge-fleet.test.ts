import { expect, test } from 'vitest';
import { blocksText, type RunningStack, startStack } from '../../stack.ts';

const maxHeapGrowthBytes = 200 * 2 ** 20;

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

test('of 100,000 VPS in 200 pages, what was not read is said, in bounded memory', async () => {
  const running = await startStack({ hosting: { vpsCount: 100_000, pageSize: 500, quota: 1_000 } });
  const { slack } = running;
  try {
    const before = process.memoryUsage().heapUsed;
    await slack.slash('reboot web-25000.acme.example');
    const notFound = await slack.message('Rackhand found no VPS called "web-25000.acme.example"');
    expect(blocksText(notFound)).toContain("Rackhand couldn't read the whole list.");
    await slack.slash('show VPS-110000');
    await slack.message(/^VPS-110000$|\(VPS-110000\)$/);
    await slack.slash('reboot');
    await expect.poll(() => suggest(running, 'VPS-110000')).toContain('"value":"VPS-110000"');
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(maxHeapGrowthBytes);
  } finally {
    await running.close();
  }
});
