import { expect, test } from 'vitest';
import { listSnapshots } from '../../../src/hosting/endpoints/snapshots.ts';
import { snapshotChoices } from '../../../src/operations/choices/sources/snapshots.ts';
import { createStubRead } from '../operation-harness.ts';

test('a menu of snapshots shows when each was taken in words', async () => {
  const snapshots = [{ name: 'weekly', created_at: '2026-11-07T22:52:32.838Z' }];
  const read = createStubRead(new Map([[listSnapshots, { snapshots }]]));
  const { choices } = await snapshotChoices.load(read, { vps: 'VPS-10001' }, 0);
  expect(choices).toMatchObject([{ value: 'weekly', hint: 'Taken 7 Nov 2026, 22:52 UTC' }]);
});
