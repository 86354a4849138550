import { rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeScratchDirectory } from '../scratch-directory.ts';
import { startStack } from '../stack.ts';

test('while the disk stalls, Slack gets its acks in time, nothing is sent before it is on the disk, and everyone is answered', async () => {
  const directory = makeScratchDirectory('stalled-disk');
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const { slack, service, close } = await startStack({ databaseUrl: `sqlite:${join(directory, 'app.db')}` });
  onTestFinished(close);
  await slack.slash('reboot VPS-10001');
  const card = await slack.message(/Reboot/);

  const disk = await stallDisk(directory);
  onTestFinished(disk.recover);
  const gwen = { user: 'U0GWEN', channel: 'C0GLOBEX', team: 'T0GLOBEX' };
  const acks = [
    await slack.slash('show VPS-10002'),
    await slack.slash('help', gwen),
    await slack.click(card, 'confirm'),
  ];
  expect(acks).toMatchObject(acks.map(() => ({ acknowledged: true })));
  await expect.poll(disk.waiting).toBeGreaterThan(0);
  expect(await service.changes()).toEqual([]);

  disk.recover();
  await slack.message('✅ Done');
  expect(await service.changes()).toHaveLength(1);
  await slack.untilSeen(() => slack.earlierMessage('VPS-10002'));
  await slack.untilSeen(() => slack.earlierMessage('What you can do', gwen.channel, gwen.user, gwen.team));
});

/** Makes syncs wait until the disk recovers. */
async function stallDisk(directory: string) {
  const handle = await open(directory);
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const recovered = Promise.withResolvers<void>();
  const spy = vi.spyOn(prototype, 'datasync').mockImplementation(() => recovered.promise);
  return {
    waiting: () => spy.mock.calls.length,
    recover() {
      spy.mockRestore();
      recovered.resolve();
    },
  };
}
