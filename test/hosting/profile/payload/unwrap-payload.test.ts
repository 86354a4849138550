import { expect, test } from 'vitest';
import { unwrapPayload } from '../../../../src/hosting/profile/payload/unwrap-payload.ts';

test('a resource object of JSON:API has its attributes and relationships as fields', () => {
  const server = {
    type: 'servers',
    id: '501',
    attributes: { name: 'VPS-92001', status: 'active' },
    relationships: { plan: { data: { type: 'plans', id: '7' } }, host: { data: null } },
  };
  expect(unwrapPayload({ data: [server] })).toEqual({
    data: [
      {
        id: '501',
        resourceType: 'servers',
        name: 'VPS-92001',
        status: 'active',
        plan: { type: 'plans', id: '7' },
        host: null,
      },
    ],
  });
});

test('a resource with metadata has its properties as fields, before those of the metadata', () => {
  const metadata = { createdDate: '2026-01-10T08:00:00Z', state: 'AVAILABLE', name: 'other' };
  const volume = { type: 'snapshot', id: 'a', metadata, properties: { name: 'before', size: 20 } };
  expect(unwrapPayload([volume])).toEqual([
    {
      id: 'a',
      resourceType: 'snapshot',
      createdDate: '2026-01-10T08:00:00Z',
      state: 'AVAILABLE',
      name: 'before',
      size: 20,
    },
  ]);
});

test('a connection of Relay is a list, beside its page info', () => {
  const pageInfo = { hasNextPage: true, endCursor: 'b' };
  expect(unwrapPayload({ servers: { edges: [{ cursor: 'b', node: { slug: 'a' } }], pageInfo } })).toEqual({
    servers: { items: [{ slug: 'a' }], pageInfo },
  });
  expect(unwrapPayload({ ips: { nodes: [{ id: 1 }] } })).toEqual({ ips: { items: [{ id: 1 }] } });
});

test('an XML element is its text, with its attributes beside it', () => {
  expect(unwrapPayload({ name: { $: 'web' }, mem: { '#text': '256', '@unit': 'MB' } })).toEqual({
    name: 'web',
    mem: { value: '256', unit: 'MB' },
  });
});

test('a sample of Prometheus has a name and a value', () => {
  const sample = { metric: { __name__: 'cpu_percent', job: 'vps' }, value: [1795240800, '12.5'] };
  expect(unwrapPayload({ result: [sample] })).toEqual({ result: [{ name: 'cpu_percent', value: '12.5' }] });
});

test.each([
  [{ type: 'servers', id: 1, attributes: ['a'] }],
  [{ attributes: { name: 'a' } }],
  [{ edges: [{ from: 'a', to: 'b' }] }],
  [{ edges: 3, nodes: 4 }],
  [{ $: '12', other: 'x' }],
  [{ metric: 'cpu', value: 12 }],
])('%j stays as it is', (payload) => {
  expect(unwrapPayload(payload)).toEqual(payload);
});
