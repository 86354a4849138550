import { describe, expect, test } from 'vitest';
import { readReinstallOptions } from '../../../src/hosting/readings/reinstall.ts';

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
    const { systems, deliveries } = readReinstallOptions(data);
    expect(systems).toMatchObject([
      { os: 'debian-13', label: 'Debian 13' },
      { os: 'alpine-3', label: 'Alpine 3' },
    ]);
    expect(systems).toHaveLength(2);
    expect(deliveries).toEqual(Array.isArray(data) ? [] : ['api', 'email']);
  });

  test.each<[unknown]>([
    [{ os: ['debian-13', 'alpine-3'] }],
    [['debian-13', 'alpine-3']],
    [{ list: [{ name: 'debian-13' }, { name: 'alpine-3' }] }],
  ])('may be names alone: %j', (data) => {
    const { systems } = readReinstallOptions(data);
    expect(systems.map(({ os, label }) => [os, label])).toEqual([
      ['debian-13', undefined],
      ['alpine-3', undefined],
    ]);
  });

  test('may tell no way of delivery', () => {
    for (const delivery of ['string', null, 7, { type: 'string', description: 'how' }, '']) {
      expect(readReinstallOptions({ os: ['debian-13'], body: { delivery } }).deliveries).toEqual([]);
    }
  });
});
