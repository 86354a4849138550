import { describe, expect, test } from 'vitest';
import type { GetEndpoint } from '../../../src/hosting/endpoints/endpoint.ts';
import { listSnapshots } from '../../../src/hosting/endpoints/snapshots.ts';
import { getVps } from '../../../src/hosting/endpoints/vps.ts';
import { findWarning } from '../../../src/operations/define/inspect-operation.ts';
import { readSnapshotProgress } from '../../../src/operations/snapshot/progress.ts';
import { createContext, createStubRead, findChange, runRead } from '../operation-harness.ts';

const vps = 'VPS-10001';
const list = (data: unknown) => runRead('snapshot list', { vps }, new Map([[listSnapshots, data]]));

describe('snapshot list', () => {
  test.each([
    [
      'records in a field',
      {
        snapshots: [
          { name: 'old', created_at: '2026-01-01T00:00:00Z' },
          { name: 'new', created_at: '2026-02-01T00:00:00Z' },
        ],
      },
    ],
    [
      'a map by name',
      { old: { created: 1_767_225_600, size_gb: 8 }, new: { created: 1_769_904_000, size_gb: 9 } },
    ],
    ['records without times', [{ name: 'new' }, { name: 'old' }]],
    ['nothing but names', ['new', 'old']],
  ])('shows %s, newest first', async (_, data) => {
    const { title, table } = await list(data);
    expect(title).toBe('2 snapshots of VPS-10001');
    expect(table?.rows.map(([name]) => name)).toEqual(['new', 'old']);
  });

  test("takes Proxmox VE's entry of the present state for no snapshot", async () => {
    const { title } = await list([
      { name: 'current', description: 'You are here!', digest: 'ed56', running: 1 },
    ]);
    expect(title).toBe('No snapshots of VPS-10001');
  });

  test('shows a few unknown fields as columns', async () => {
    const { table, notes } = await list([
      { name: 'a', who: 'bob', why: 'fun', disks: 2, tags: ['x', 'y'], ram: true },
    ]);
    expect(table?.columns).toEqual(['Snapshot', 'Who', 'Why', 'Disks']);
    expect(table?.rows).toEqual([['a', 'bob', 'fun', '2']]);
    expect(notes).toEqual([]);
  });
});

describe('snapshot create', () => {
  const title = (data: unknown) =>
    findChange('snapshot create').outcome(data, { vps, name: 'nightly' }, {}).title;

  test.each([
    [{ name: 'nightly', state: 'creating' }, 'being taken'],
    [{ snapshot: { name: 'nightly', status: 'pending' } }, 'being taken'],
    [{ job_id: 'j-1', href: '/v1/jobs/j-1' }, 'being taken'],
    [{ result: 'UPID:pve:0001:qmsnapshot:101:' }, 'being taken'],
    [{ progress: 0 }, 'being taken'],
    [{ name: 'nightly', progress: 100 }, 'taken'],
    [{ name: 'nightly', state: 'available' }, 'taken'],
    [{ name: 'nightly' }, 'taken'],
    [null, 'taken'],
  ])('with the response %j says that it is %s', (data, words) => {
    expect(title(data)).toBe(`Snapshot nightly of VPS-10001 is ${words}`);
  });
});

describe('snapshot restore', () => {
  const restore = findChange('snapshot restore');
  const input = { vps, snapshot: 'weekly' };

  const present = (vpsState: string, snapshots: unknown) => {
    const answers = new Map<GetEndpoint, unknown>([
      [getVps, { vps_name: vps, state: vpsState }],
      [listSnapshots, snapshots],
    ]);
    return restore.readTargetState?.(createContext(createStubRead(answers)), input);
  };
  const weekly = { name: 'weekly', size_gb: 8, created_at: '2026-01-01T00:00:00Z', state: 'available' };

  test('shows the current VPS and snapshot, and is bound to both', async () => {
    const shown = await present('running', [weekly]);
    expect(shown?.facts).toEqual([
      { label: 'State', value: { kind: 'state', state: 'running' } },
      { label: 'Taken', value: { kind: 'time', timeMs: Date.UTC(2026, 0, 1) } },
      { label: 'Size', value: { kind: 'bytes', bytes: 8 * 2 ** 30 } },
      { label: 'Snapshot state', value: { kind: 'state', state: 'available' } },
    ]);
    expect((await present('stopped', [weekly]))?.fingerprint).not.toBe(shown?.fingerprint);
    expect((await present('running', [{ ...weekly, state: 'creating' }]))?.fingerprint).not.toBe(
      shown?.fingerprint,
    );
  });

  test('warns of how many days are lost', async () => {
    const { facts = [] } = (await present('running', [weekly])) ?? {};
    const nowMs = Date.UTC(2026, 0, 21, 5);
    expect(findWarning(restore, input, { facts, nowMs })).toBe('The last 20 days of changes are lost.');
    expect(findWarning(restore, input, { facts: [], nowMs })).toBe(
      'All changes since the snapshot are lost.',
    );
  });
});

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
    text: "Snapshot nightly of VPS-10001 isn't in the service's list yet. An older snapshot has the same name.",
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
