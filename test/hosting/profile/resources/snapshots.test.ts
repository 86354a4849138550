import { describe, expect, test } from 'vitest';
import { readSnapshots } from '../../../../src/hosting/profile/resources/vps/snapshots.ts';

const createdAtMs = Date.UTC(2026, 10, 21, 10);
const gib = 2 ** 30;

test.each([
  ['could be 300 MiB in bytes and 300 GiB in KiB', 300 * 2 ** 20, undefined],
  ['is no whole number of MiB', 300_000_000, 300_000_000],
  ['would be more than 1 TiB in KiB', 8 * gib, 8 * gib],
  ['is 0 while the snapshot is taken', 0, undefined],
])('a size without a unit that %s', (_, disk_size, sizeBytes) => {
  const [snapshot] = readSnapshots({ snapshots: [{ name: 'nightly', disk_size }] }).snapshots;
  expect(snapshot?.sizeBytes).toBe(sizeBytes);
});

describe('snapshots with their time and size', () => {
  test.each<[string, unknown]>([
    [
      'data.snapshots, in the names of the sandbox',
      {
        vps_name: 'VPS-10001',
        snapshots: [
          { name: 'before', state: 'available', size_gb: 8, created_at: '2026-11-21T10:00:00+00:00' },
          { name: 'nightly', state: 'creating', size_gb: 9, created_at: '2026-11-21T11:00:00+00:00' },
        ],
        snapshot_quota: 5,
      },
    ],
    [
      'data itself, with times in seconds',
      [
        { name: 'before', status: 'available', size: 8 * gib, snaptime: createdAtMs / 1000 },
        { name: 'nightly', status: 'creating', size: 9 * gib, snaptime: createdAtMs / 1000 + 3_600 },
      ],
    ],
    [
      'a map by name, beside another list of names',
      {
        schedules: [{ name: 'daily' }],
        snapshots: {
          before: { state: 'available', sizeBytes: 8 * gib, createdAt: createdAtMs },
          nightly: { state: 'creating', sizeBytes: 9 * gib, createdAt: createdAtMs + 3_600_000 },
        },
      },
    ],
    [
      'an unknown field, with sizes as text',
      {
        regions: [{ name: 'fra' }],
        backups: [
          { snapshot_name: 'before', state: 'available', size: '8 GiB', date: '2026-11-21 10:00:00' },
          { snapshot_name: 'nightly', state: 'creating', size: '9 GB', date: '2026-11-21 11:00:00' },
        ],
      },
    ],
    [
      'a list in a field of a field, with sizes of value and unit',
      {
        result: {
          items: [
            {
              id: 'before',
              state: { state: 'available' },
              disk_size: { value: 8, unit: 'GiB' },
              created: createdAtMs,
            },
            {
              id: 'nightly',
              state: { state: 'creating' },
              disk_size: { value: 9, unit: 'GiB' },
              created: createdAtMs + 3_600_000,
            },
          ],
        },
      },
    ],
    [
      'a map by VPS',
      {
        'VPS-10001': [
          { title: 'before', state: 'available', 'Size-MB': '8192', taken_at: '2026-11-21T11:00:00+01:00' },
          { title: 'nightly', state: 'creating', 'Size-MB': '9216', taken_at: '2026-11-21T12:00:00+0100' },
        ],
      },
    ],
  ])('are found in %s', (_, data) => {
    const { snapshots, hasMore } = readSnapshots(data);
    expect(snapshots).toMatchObject([
      { name: 'before', state: 'available', sizeBytes: 8 * gib, createdAtMs },
      { name: 'nightly', state: 'creating', sizeBytes: 9 * gib, createdAtMs: createdAtMs + 3_600_000 },
    ]);
    expect(hasMore).toBe(false);
  });
});

describe('snapshots with only names', () => {
  test.each<[unknown]>([
    [['a', 'b']],
    [{ snapshots: ['a', 'b'] }],
    [{ tags: ['web'], snapshots: [{ name: 'a' }, { name: 'b' }], schedules: [{ name: 'daily' }] }],
    [{ data: { list: [{ name: 'a' }, { name: 'b' }] } }],
  ])('are found: %j', (data) => {
    expect(readSnapshots(data).snapshots.map(({ name }) => name)).toEqual(['a', 'b']);
  });
});

test('other fields beside snapshots are returned', () => {
  const data = { vps_name: 'VPS-10001', snapshots: [{ name: 'a' }, 7], quota: { max: 5 } };
  expect(readSnapshots(data).otherFields).toEqual({
    vps_name: 'VPS-10001',
    snapshots: [7],
    quota: { max: 5 },
  });
});

test('an empty list of snapshots is empty beside other lists', () => {
  expect(readSnapshots({ snapshots: [], schedules: [{ name: 'daily' }] }).snapshots).toEqual([]);
});

test('a hint at further pages of snapshots is found', () => {
  expect(readSnapshots({ snapshots: [{ name: 'a' }], total: 2 }).hasMore).toBe(true);
});

describe('an entry called current', () => {
  const here = { name: 'current', parent: 'a', running: 1, digest: 'd41d8cd9', description: 'You are here!' };

  test('is the current state and not a snapshot, if the service says so', () => {
    const { snapshots, otherFields } = readSnapshots([{ name: 'a', snaptime: 1_795_068_000 }, here]);
    expect(snapshots.map(({ name }) => name)).toEqual(['a']);
    expect(otherFields).toEqual({});
    expect(readSnapshots([here]).snapshots).toEqual([]);
  });

  test.each([
    [[{ name: 'current', created_at: '2026-11-20T06:00:00Z' }]],
    [[{ name: 'current', description: 'before the upgrade' }]],
    [['current']],
  ])('is a snapshot otherwise: %j', (data) => {
    expect(readSnapshots(data).snapshots.map(({ name }) => name)).toEqual(['current']);
  });
});

describe('snapshots outside the list', () => {
  const snapshot = (id: string, more: object = {}) => ({
    id,
    status: 'ready',
    created: '2026-11-19T06:00:00',
    ...more,
  });

  test('are listed if they have the same fields', () => {
    const { snapshots, otherFields } = readSnapshots({
      automatic: [snapshot('a')],
      snapshot: { current: snapshot('b'), in_progress: null },
      quota: { id: 'q', status: 'ok' },
    });
    expect(snapshots.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(otherFields).toEqual({ quota: { id: 'q', status: 'ok' } });
  });

  test('are listed if they are the children of one', () => {
    const list = [snapshot('a', { children: [snapshot('b', { children: [] })] })];
    expect(readSnapshots({ snapshots: list }).snapshots.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('are not listed if they have other fields', () => {
    const list = [snapshot('a', { disk: { id: 'd', created: '2026-11-19T06:00:00' } })];
    expect(readSnapshots({ snapshots: list }).snapshots).toHaveLength(1);
  });
});
