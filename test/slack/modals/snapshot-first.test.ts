import { expect, test } from 'vitest';
import { blocksText, grantAll } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';
import { waitForEnd } from '../wait-for-end.ts';
import { toTextValue } from './form/form-driver.ts';

const title = 'Restore web-01 (VPS-10001) from snapshot weekly';
const bob = { user: 'U0BOB' };

const running = useStack({ grants: grantAll('destroy', 'U0BOB', 'U0CAROL'), followsSlackClock: true });

/** Bob requests a restore, and confirms it with a snapshot first. */
async function restoreWithSnapshotFirst(): Promise<void> {
  const { slack } = running;
  await slack.slash('snapshot restore VPS-10001 weekly', bob);
  await slack.click(await slack.message(`${title}?`, 'C0OPS', 'U0BOB'), 'Snapshot First…', bob);
  const view = await slack.modal('U0BOB');
  expect(blocksText(view)).toContain('The change begins only if the snapshot is complete within an hour.');
  await slack.submit(view, { typed: toTextValue('VPS-10001') }, 'U0BOB');
}

const pathsOfChanges = async () => (await running.service.changes()).map(({ path }) => path);
const snapshots = '/v1/vps/VPS-10001/snapshots';

test('a snapshot is taken first, and the change begins when it is complete', async () => {
  const { slack, service } = running;
  await restoreWithSnapshotFirst();
  const waiting = await slack.message(`${title}: 🔄 Running`);
  expect(blocksText(waiting)).toContain('A snapshot is taken');
  const done = await waitForEnd(running, title);
  expect(blocksText(done)).toContain('before-snapshot-restore-');
  const changes = await service.changes();
  expect(changes).toMatchObject([
    {
      path: snapshots,
      body: { name: expect.stringMatching(/^before-snapshot-restore-\d{8}t\d{4}z-[0-9a-f]{8}$/) },
    },
    { path: `${snapshots}/weekly/restore`, status: 200 },
  ]);
  const [taken, restored] = changes;
  // A snapshot of the sandbox takes three seconds.
  expect((restored?.at ?? 0) - (taken?.at ?? 0)).toBeGreaterThanOrEqual(3_000);
});

test('it is done once if its window is submitted twice', async () => {
  const { slack } = running;
  await slack.slash('snapshot restore VPS-10001 weekly', bob);
  await slack.click(await slack.message(`${title}?`, 'C0OPS', 'U0BOB'), 'Snapshot First…', bob);
  const view = await slack.modal('U0BOB');
  const typed = { typed: toTextValue('VPS-10001') };
  await Promise.all([slack.submit(view, typed, 'U0BOB'), slack.submit(view, typed, 'U0BOB')]);
  await slack.message(`${title}: 🔄 Running`);
  await slack.click(await slack.message(`${title}: 🔄 Running`), 'Stop', bob);
  await slack.message(`${title}: ❌ Failed`);
  expect(await pathsOfChanges()).toEqual([snapshots]);
});

test('an approval covers the snapshot and the change', async () => {
  const { slack } = running;
  await slack.slash('approval require destroy --channel #C0GENERAL');
  await slack.message('Approval is now required for');
  await restoreWithSnapshotFirst();
  const card = await slack.message(`${title}: approval needed`, 'C0GENERAL');
  expect(blocksText(card)).toContain('A snapshot is taken');
  expect(await pathsOfChanges()).toEqual([]);
  await slack.click(card, 'step:0', { user: 'U0CAROL', channel: 'C0GENERAL' });
  await waitForEnd(running, title);
  expect(await pathsOfChanges()).toEqual([snapshots, `${snapshots}/weekly/restore`]);
});
