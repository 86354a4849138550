import { describe, expect, test } from 'vitest';
import { readWebgate } from '../../../../src/hosting/profile/resources/network/webgate.ts';

const backends = [
  { vps_name: 'VPS-10001', target_port: 8080, weight: 1, is_backup: false },
  { vps_name: 'VPS-10002', target_port: 8080, weight: 2, is_backup: true },
];
const domain = { domain_name: 'shop.acme.example', vps_name: 'VPS-10001' };
const port = { id: 1, vps_name: 'VPS-10005', protocol: 'tcp', target_port: 5432, external_port: 30_123 };
const balancer = { domain_name: 'www.acme.example', mode: 'roundrobin', sticky_mode: 'cookie', backends };

test("a word without a dot isn't a domain of the WebGate", () => {
  const rule = { name: 'web', domain: 'ROOT', algorithm: 'roundrobin', publicip: '192.0.2.4' };
  expect(readWebgate({ rules: [rule] })).toMatchObject({ domains: [], loadBalancers: [] });
});

describe('the state of the WebGate', () => {
  test.each<[string, unknown]>([
    [
      'lists in the names of the sandbox',
      {
        quotas: { domains: 10, dedicated_ports: 10 },
        usage: { domains: 1 },
        domains: [domain],
        dedicated_ports: [port],
        load_balancers: [balancer],
      },
    ],
    [
      'other names',
      {
        webgate: {
          limits: { domains: 10 },
          domains: [{ name: 'shop.acme.example', vps: { vps_name: 'VPS-10001' } }],
          dedicatedPorts: [
            { id: '1', vpsName: 'vps-10005', proto: 'tcp', internalPort: '5432', externalPort: '30123' },
          ],
          loadBalancers: [
            {
              name: 'www.acme.example',
              algorithm: 'roundrobin',
              sticky: 'cookie',
              servers: backends.map(({ vps_name, target_port, weight, is_backup }) => ({
                server: vps_name,
                port: target_port,
                weight,
                backup: is_backup,
              })),
            },
          ],
        },
      },
    ],
    [
      'maps',
      {
        domains: { 'shop.acme.example': { vps_name: 'VPS-10001' } },
        ports: { 30123: { id: 1, vps_name: 'VPS-10005', protocol: 'tcp', target_port: 5432 } },
        balancers: {
          'www.acme.example': {
            mode: 'roundrobin',
            sticky_mode: 'cookie',
            backends: { 'VPS-10001': backends[0], 'VPS-10002': backends[1] },
          },
        },
      },
    ],
    [
      'groups with their quotas',
      {
        domains: { quota: 10, used: 1, items: [domain] },
        dedicated_ports: { quota: 10, used: 1, items: [port] },
        load_balancers: { quota: 5, used: 1, items: [balancer] },
      },
    ],
    [
      'one list of all',
      {
        services: [
          { type: 'domain', ...domain },
          { type: 'tcp', ...port },
          { type: 'load_balancer', ...balancer },
        ],
      },
    ],
    [
      'a map by VPS',
      {
        'VPS-10001': { domains: [{ domain_name: 'shop.acme.example' }] },
        'VPS-10005': { dedicated_ports: [{ id: 1, protocol: 'tcp', target_port: 5432, port: 30_123 }] },
        load_balancers: [balancer],
      },
    ],
  ])('is read from %s', (_, data) => {
    const { domains, ports, loadBalancers } = readWebgate(data);
    expect(domains).toMatchObject([{ domainName: 'shop.acme.example', vpsName: 'VPS-10001' }]);
    expect(domains).toHaveLength(1);
    expect(ports).toMatchObject([
      { externalPort: 30_123, vpsName: 'VPS-10005', protocol: 'tcp', targetPort: 5432, id: 1 },
    ]);
    expect(loadBalancers).toMatchObject([
      {
        domainName: 'www.acme.example',
        mode: 'roundrobin',
        stickyMode: 'cookie',
        backends: [
          { vpsName: 'VPS-10001', targetPort: 8080, weight: 1, isBackup: false },
          { vpsName: 'VPS-10002', targetPort: 8080, weight: 2, isBackup: true },
        ],
      },
    ]);
    expect(loadBalancers).toHaveLength(1);
  });

  test('can be only names and ports', () => {
    const data = {
      domains: ['shop.acme.example'],
      dedicated_ports: [30_123],
      load_balancers: [{ domain_name: 'www.acme.example', backends: ['VPS-10001:8080', 'vps-10002'] }],
    };
    const { domains, ports, loadBalancers } = readWebgate(data);
    expect(domains.map(({ domainName }) => domainName)).toEqual(['shop.acme.example']);
    expect(ports.map(({ externalPort }) => externalPort)).toEqual([30_123]);
    expect(loadBalancers[0]?.backends).toMatchObject([
      { vpsName: 'VPS-10001', targetPort: 8080 },
      { vpsName: 'VPS-10002' },
    ]);
  });

  test('can map domains to VPS', () => {
    expect(readWebgate({ domains: { 'shop.acme.example': 'VPS-10001' } }).domains).toMatchObject([
      { domainName: 'shop.acme.example', vpsName: 'VPS-10001' },
    ]);
  });

  test('leaves quotas, usage and all other fields', () => {
    const data = {
      quotas: { domains: 10 },
      usage: { domains: 1 },
      domains: [domain],
      dedicated_ports: [{ note: 'soon' }],
      region: 'fra',
    };
    expect(readWebgate(data).otherFields).toEqual({
      quotas: { domains: 10 },
      usage: { domains: 1 },
      dedicated_ports: [{ note: 'soon' }],
      region: 'fra',
    });
  });

  test('can have the same internal and external port', () => {
    const data = { dedicated_ports: [{ external_port: 30_000, target_port: 30_000 }] };
    expect(readWebgate(data).ports).toMatchObject([{ externalPort: 30_000, targetPort: 30_000 }]);
  });

  test('has its port on the VPS in a field named port if another names the external one', () => {
    const data = { dedicated_ports: [{ external_port: 30_000, port: 8_080 }] };
    expect(readWebgate(data).ports).toMatchObject([{ externalPort: 30_000, targetPort: 8_080 }]);
  });

  test.each<[unknown]>([
    [{}],
    [null],
    [{ domains: [], dedicated_ports: null }],
    [{ quotas: { domains: ['a.example'] } }],
  ])('can be empty: %j', (data) => {
    expect(readWebgate(data)).toMatchObject({ domains: [], ports: [], loadBalancers: [] });
  });
});

test.each<[unknown]>([[backends[0]], [{ backend: backends[0] }], [{ backend: [backends[0]] }]])(
  'a single backend in place of the list is read: %j',
  (one) => {
    const { loadBalancers } = readWebgate({ load_balancers: [{ ...balancer, backends: one }] });
    expect(loadBalancers[0]?.backends).toMatchObject([{ vpsName: 'VPS-10001', targetPort: 8080 }]);
    expect(loadBalancers[0]?.backends).toHaveLength(1);
  },
);

test.each([
  ['dedicated_port', undefined],
  ['tcp/udp', 'tcp/udp'],
  ['HTTP', 'HTTP'],
])('the protocol of a port whose type is %s is %s', (type, protocol) => {
  const { ports } = readWebgate({ items: [{ type, external_port: 30_123, target_port: 80 }] });
  expect(ports.map((one) => one.protocol)).toEqual([protocol]);
});
