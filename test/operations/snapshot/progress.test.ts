import { expect, test } from 'vitest';
import { listSnapshots } from '../../../src/hosting/endpoints/snapshots.ts';
import { readSnapshotProgress } from '../../../src/operations/snapshot/progress.ts';
import { createStubRead } from '../operation-harness.ts';

const startedMs = Date.parse('2026-11-20T12:00:00Z');
const snapshot = (state: string, created_at = '2026-11-20T12:00:01Z') => ({
  name: 'nightly',
  state,
  created_at,
});
const old = snapshot('available', '2026-11-10T12:00:00Z');

const readProgress = (...snapshots: readonly unknown[]) =>
  readSnapshotProgress(createStubRead(new Map([[listSnapshots, { snapshots }]])), {
    vps: 'VPS-10001',
    name: 'nightly',
    startedMs,
  });

test('an older snapshot of the same name is not the new one', async () => {
  expect(await readProgress(old)).toEqual({
    isFinished: false,
    text: "Snapshot nightly isn't in the list of VPS-10001 yet. The one called nightly is older.",
  });
  expect(await readProgress(old, snapshot('creating'))).toMatchObject({
    isFinished: false,
    state: 'creating',
  });
  expect(await readProgress(old, snapshot('available'))).toMatchObject({
    isFinished: true,
    state: 'available',
    text: 'Snapshot nightly of VPS-10001 is available now.',
  });
});

test('one of several snapshots of the same name is not chosen', async () => {
  const [one, other] = [{ name: 'nightly', state: 'available' }, snapshot('creating')];
  expect(await readProgress(one, other)).toEqual({
    isFinished: false,
    text: '2 snapshots of VPS-10001 are called nightly. One of them is creating.',
  });
  expect(await readProgress(one, one)).toEqual({
    isFinished: true,
    isEndUnknown: true,
    text: "2 snapshots of VPS-10001 are called nightly, so Rackhand doesn't know which one is new.",
  });
});

test('a snapshot in an unknown state is not called finished', async () => {
  expect(await readProgress(snapshot('klar'))).toMatchObject({ isFinished: true, isEndUnknown: true });
});
