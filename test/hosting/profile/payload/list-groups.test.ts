import { describe, expect, test } from 'vitest';
import { readSshMappings } from '../../../../src/hosting/profile/resources/network/ssh-mappings.ts';
import { readSnapshots } from '../../../../src/hosting/profile/resources/vps/snapshots.ts';
import { readVpsList } from '../../../../src/hosting/profile/resources/vps/vps.ts';

const one = { vps_name: 'VPS-10001', hostname: 'web-01' };
const two = { vps_name: 'VPS-10002', hostname: 'web-02' };
const three = { vps_name: 'VPS-10003', hostname: 'db-01' };

const names = (data: unknown) => readVpsList(data).vps.map(({ name }) => name);

describe('a list in groups', () => {
  test.each<[string, unknown]>([
    [
      'projects in a list',
      {
        projects: [
          { name: 'shop', vps: [one, two] },
          { name: 'blog', vps: [three] },
        ],
      },
    ],
    [
      'projects in a list, with names that look like servers',
      [
        { name: 'VPS project', servers: [one] },
        { name: 'other', servers: [two, three] },
      ],
    ],
    ['projects in a map', { shop: { vps: [one, two] }, blog: { vps: [three] } }],
    [
      'projects in a map, beside other fields',
      { shop: { vps: [one, two] }, blog: { vps: [three] }, total: 3 },
    ],
    [
      'projects in a map in a field',
      { projects: { shop: { id: 1, vps: [one, two] }, blog: { id: 2, vps: [three] } } },
    ],
    ['states', { running: [one, two], stopped: [three] }],
    [
      'states, beside other fields',
      { running: [one, two], stopped: [three], paused: [], total: 3, quota: { vps: 10 } },
    ],
    ['regions of maps by name', { fra: { 'VPS-10001': one, 'VPS-10002': two }, ams: { 'VPS-10003': three } }],
    [
      'regions with nodes',
      {
        regions: [
          {
            name: 'fra',
            nodes: [
              { name: 'n1', vps: [one] },
              { name: 'n2', vps: [two] },
            ],
          },
          { name: 'ams', nodes: [{ name: 'n3', vps: [three] }] },
        ],
      },
    ],
    [
      'nodes with states',
      [
        { node: 'n1', running: [one], stopped: [two] },
        { node: 'n2', running: [three], stopped: [] },
      ],
    ],
    ['groups, one of them empty', { shop: { vps: [one, two, three] }, blog: { vps: [] } }],
  ])('has the entries of all %s', (_, data) => {
    expect(names(data).toSorted()).toEqual(['VPS-10001', 'VPS-10002', 'VPS-10003']);
    expect(readVpsList(data).hasMore).toBe(false);
  });

  test('leaves out no group of 500', () => {
    const projects = Array.from({ length: 500 }, (_, index) => ({
      name: `project ${index}`,
      vps: [{ vps_name: `VPS-${10_000 + index}` }],
    }));
    expect(names({ projects })).toHaveLength(500);
  });

  test('leaves the fields of the groups in the payload', () => {
    const { otherFields } = readVpsList({
      projects: [
        { name: 'shop', vps: [one] },
        { name: 'blog', vps: [two] },
      ],
    });
    expect(otherFields).toEqual({ projects: [{ name: 'shop' }, { name: 'blog' }] });
  });

  test('has a VPS in two groups once', () => {
    expect(names({ fra: { vps: [one, two] }, favourites: { vps: [one] } })).toEqual([
      'VPS-10001',
      'VPS-10002',
    ]);
  });

  test('is only the named list if there is one', () => {
    expect(names({ vps: [one, two], recently_deleted: [three] })).toEqual(['VPS-10001', 'VPS-10002']);
    expect(names({ items: [one, two], suspended: [three], newest: [two] })).toEqual([
      'VPS-10001',
      'VPS-10002',
    ]);
  });

  test('can have names of any form', () => {
    const projects = [
      { name: 'shop', vps: [{ name: 'web' }, { name: 'db' }] },
      { name: 'blog', vps: [{ name: 'blog' }] },
    ];
    expect(names({ projects })).toEqual(['web', 'db', 'blog']);
  });

  test('can be of mappings', () => {
    const mapping = (vps_name: string) => ({ vps_name, port_vps_ssh: 22 });
    const data = {
      nodes: [
        { node: 'a', mappings: [mapping('VPS-1')] },
        { node: 'b', mappings: [mapping('VPS-2')] },
      ],
    };
    expect(readSshMappings(data).mappings.map(({ vpsName }) => vpsName)).toEqual(['VPS-1', 'VPS-2']);
  });
});

describe("a group's name as the state of its VPS", () => {
  test('is used if the record has no state and the word can only be a state', () => {
    const data = { running: [one], powered_off: [{ ...two, state: 'broken' }], premium: [three] };
    expect(readVpsList(data).vps.map(({ state }) => state)).toEqual(['running', 'broken', undefined]);
  });

  test('is not used if the word can mean something else', () => {
    for (const group of ['active', 'other', 'shop', 'on', 'state'])
      expect(readVpsList({ [group]: { vps: [one] }, x: { vps: [two] } }).vps[0]?.state).toBeUndefined();
  });
});

test('a list of entries that contain lists is not a list of groups', () => {
  const snapshots = [
    { name: 'a', disks: [{ name: 'root', size: 5 }] },
    { name: 'b', disks: [{ name: 'root', size: 6 }] },
  ];
  expect(readSnapshots({ snapshots }).snapshots.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(readSnapshots(snapshots).snapshots.map(({ name }) => name)).toEqual(['a', 'b']);
});
