import { describe, expect, test } from 'vitest';
import { readReinstallOptions } from '../../../../src/hosting/profile/resources/vps/reinstall-options.ts';

describe('systems to reinstall with', () => {
  test.each<[string, unknown]>([
    [
      'records in the names of the sandbox',
      {
        current_os: 'debian-12',
        operating_systems: [
          { id: 'debian-13', name: 'Debian 13' },
          { id: 'alpine-3', name: 'Alpine 3' },
        ],
        body: { os: ['debian-13', 'alpine-3'], delivery: ['api', 'email'] },
      },
    ],
    [
      'records of an own name',
      {
        available: [
          { os: 'debian-13', label: 'Debian 13' },
          { os: 'alpine-3', label: 'Alpine 3' },
        ],
        body: { os: 'string', delivery: 'api|email' },
      },
    ],
    [
      'a map of texts',
      {
        systems: { 'debian-13': 'Debian 13', 'alpine-3': 'Alpine 3' },
        expected: { delivery: 'string: "api" or "email"' },
      },
    ],
    [
      'a map of records',
      {
        templates: { 'debian-13': { title: 'Debian 13' }, 'alpine-3': { title: 'Alpine 3' } },
        post_body: {
          properties: { os: { type: 'string' }, delivery: { type: 'string', enum: ['api', 'email'] } },
        },
      },
    ],
    [
      'groups',
      {
        os: {
          debian: [{ slug: 'debian-13', name: 'Debian 13' }],
          alpine: [{ slug: 'alpine-3', name: 'Alpine 3' }],
        },
        delivery_modes: [{ id: 'api' }, { id: 'email' }],
      },
    ],
    [
      'data itself',
      [
        { code: 'debian-13', description: 'Debian 13' },
        { code: 'alpine-3', description: 'Alpine 3' },
      ],
    ],
    [
      'a field of a field, with a list of fields',
      {
        result: {
          images: [
            { image: 'debian-13', name: 'Debian 13' },
            { image: 'alpine-3', name: 'Alpine 3' },
          ],
          fields: [
            { name: 'os', type: 'string' },
            { name: 'delivery', values: { api: 'at once', email: 'by mail' } },
          ],
        },
      },
    ],
  ])('are read from %s', (_, data) => {
    const { operatingSystems, deliveries } = readReinstallOptions(data);
    expect(operatingSystems).toMatchObject([
      { os: 'debian-13', label: 'Debian 13' },
      { os: 'alpine-3', label: 'Alpine 3' },
    ]);
    expect(operatingSystems).toHaveLength(2);
    expect(deliveries).toEqual(Array.isArray(data) ? [] : ['api', 'email']);
  });

  test.each<[unknown]>([
    [{ os: ['debian-13', 'alpine-3'] }],
    [['debian-13', 'alpine-3']],
    [{ list: [{ name: 'debian-13' }, { name: 'alpine-3' }] }],
  ])('can be only names: %j', (data) => {
    const { operatingSystems } = readReinstallOptions(data);
    expect(operatingSystems.map(({ os, label }) => [os, label])).toEqual([
      ['debian-13', undefined],
      ['alpine-3', undefined],
    ]);
  });

  test('can have no delivery methods', () => {
    for (const delivery of ['string', null, 7, { type: 'string', description: 'how' }, '']) {
      expect(readReinstallOptions({ os: ['debian-13'], body: { delivery } }).deliveries).toEqual([]);
    }
  });
});

describe('the location of the systems', () => {
  const read = (data: unknown) =>
    readReinstallOptions(data).operatingSystems.map(({ os, label }) => [os, label]);

  test.each<[string, unknown, [string, string | undefined][]]>([
    ['a map from ID to name', { os: { 'debian-12': 'Debian 12' } }, [['debian-12', 'Debian 12']]],
    [
      'a map from ID to name beside the ways of delivery',
      { os: { 'debian-12': 'Debian 12' }, delivery: { api: 'at once', email: 'by mail' } },
      [['debian-12', 'Debian 12']],
    ],
    [
      'families with versions beside the fields of the body',
      {
        operating_systems: [
          { family: 'debian', versions: ['11', '12'] },
          { family: 'ubuntu', versions: ['24.04'] },
        ],
        fields: ['os', 'delivery'],
      },
      [
        ['debian-11', 'debian 11'],
        ['debian-12', 'debian 12'],
        ['ubuntu-24.04', 'ubuntu 24.04'],
      ],
    ],
    [
      'families with versions that have an ID',
      {
        data: [
          {
            id: 1,
            name: 'Debian',
            versions: [
              { id: 11, version: '12' },
              { id: 12, version: '13' },
            ],
          },
        ],
      },
      [
        ['11', 'Debian 12'],
        ['12', 'Debian 13'],
      ],
    ],
    [
      'nested categories',
      { linux: { debian: ['11', '12'] }, windows: { server: ['windows-2022'] } },
      [
        ['debian-11', 'debian 11'],
        ['debian-12', 'debian 12'],
        ['windows-2022', undefined],
      ],
    ],
    [
      'categories with templates',
      {
        categories: [
          { name: 'Linux', templates: [{ id: 7, name: 'Debian 12' }] },
          { name: 'Windows', templates: [{ id: 9, name: 'Windows 2022' }] },
        ],
        required: ['os', 'delivery'],
      },
      [
        ['7', 'Debian 12'],
        ['9', 'Windows 2022'],
      ],
    ],
    [
      'a map in a map by ID',
      { oslist: { kvm: { debian: { 912: { osid: '912', name: 'debian-12' } } } } },
      [['912', 'debian-12']],
    ],
    [
      'several places',
      { templates: [{ slug: 'debian-12' }], isos: [{ slug: 'netboot' }] },
      [
        ['debian-12', undefined],
        ['netboot', undefined],
      ],
    ],
    [
      'one text',
      { templateskvm: 'debian-12,ubuntu-24.04,--none--' },
      [
        ['debian-12', undefined],
        ['ubuntu-24.04', undefined],
      ],
    ],
    ['an unknown name', { kvm: [{ id: 3, label: 'Debian 12' }] }, [['3', 'Debian 12']]],
    [
      'an unknown name beside pages and an ID of the reply',
      { meta: { total: 1 }, servers_os: [{ id: 3, name: 'debian', version: '12' }], response_id: 'r-9' },
      [['3', 'debian 12']],
    ],
    [
      'the values of os in the body, where there is no other',
      { body: { os: { type: 'string', enum: ['debian-12'] }, delivery: { enum: ['api'] } } },
      [['debian-12', undefined]],
    ],
    [
      'numbers',
      { os: [2136, 2284] },
      [
        ['2136', undefined],
        ['2284', undefined],
      ],
    ],
  ])('can be %s', (_, data, systems) => {
    expect(read(data)).toEqual(systems);
  });

  test.each<[string, unknown]>([
    ['the fields of the body', { fields: ['os', 'delivery'] }],
    ['the ways of delivery', { delivery: ['api', 'email'] }],
    ['a description of the body', { body: { os: 'string', delivery: { enum: ['api', 'email'] } } }],
    ['a schema', { schema: { type: 'object', required: ['os'], properties: { os: { type: 'string' } } } }],
    ['an empty list beside the body', { os: [], body: { os: 'id', delivery: 'api|email' } }],
    ['the present system', { current_os: 'debian-12', os: [] }],
  ])('is not %s', (_, data) => {
    expect(read(data)).toEqual([]);
  });
});

describe('the request body', () => {
  test.each<[string, unknown, unknown]>([
    [
      'a list of names',
      { fields: ['os', 'delivery', 'hostname'] },
      [{ name: 'hostname', isRequired: false, choices: [] }],
    ],
    [
      'a list of required names',
      { required: ['os', 'delivery', 'hostname'] },
      [{ name: 'hostname', isRequired: true, choices: [] }],
    ],
    [
      'records',
      {
        fields: [
          { name: 'os', required: true },
          { name: 'license', required: 1, values: ['std', 'ent'] },
        ],
      },
      [{ name: 'license', isRequired: true, choices: ['std', 'ent'] }],
    ],
    [
      'a map',
      { body: { os: 'string', delivery: 'api|email', hostname: 'string, required', swap: 'integer' } },
      [
        { name: 'hostname', isRequired: true, choices: [] },
        { name: 'swap', isRequired: false, choices: [] },
      ],
    ],
    [
      'a schema',
      {
        body: {
          type: 'object',
          required: ['os', 'ssh_key_id'],
          properties: {
            os: { type: 'string' },
            ssh_key_id: { type: 'integer' },
            keep: { enum: ['yes', 'no'] },
          },
        },
      },
      [
        { name: 'ssh_key_id', isRequired: true, choices: [] },
        { name: 'keep', isRequired: false, choices: ['yes', 'no'] },
      ],
    ],
    ['nothing', { os: ['debian-12'] }, []],
  ])('is read from %s', (_, data, extraFields) => {
    expect(readReinstallOptions(data).extraFields).toEqual(extraFields);
  });
});

describe('a field beside the systems', () => {
  test('stays there, even if its value is the name of a system', () => {
    const { operatingSystems, otherFields } = readReinstallOptions({
      os: { current: 'debian-12', available: ['debian-12', 'debian-13'] },
    });
    expect(operatingSystems.map(({ os }) => os)).toEqual(['debian-12', 'debian-13']);
    expect(otherFields).toEqual({ os: { current: 'debian-12' } });
  });
});
