import type { Case } from '../case.ts';

const path = '/v1/services/webgate';

/** What the sandbox's seed gives its first dedicated port. */
const externalPort = '45020';

const backends = [
  { vps_name: 'VPS-10001', target_port: 80, weight: 2, is_backup: false },
  { vps_name: 'VPS-10002', target_port: 8080, weight: 1, is_backup: true },
];

export const webgateCases: readonly Case[] = [
  {
    operation: 'webgate',
    typed: 'webgate',
    calls: [{ method: 'GET', path }],
    sees: [
      'Domains: 2 of 10',
      'Dedicated ports: 1 of 10',
      'Load balancers: 1 of 5',
      'shop.acme.example | VPS-10001',
      'VPS-10005:5432 by tcp',
      'VPS-10001:8080, VPS-10002:8080',
      'Sticky mode: cookie',
    ],
  },
  {
    operation: 'domain add',
    typed: 'domain add New.acme.example vps-10003',
    form: { values: { domain: 'new.acme.example', vps: 'VPS-10003' } },
    calls: [
      {
        method: 'POST',
        path: `${path}/domains`,
        body: { domain_name: 'new.acme.example', vps_name: 'VPS-10003' },
      },
    ],
    sees: ['Point new.acme.example at VPS-10003: ✅ Done'],
  },
  {
    operation: 'domain delete',
    typed: 'domain delete SHOP.acme.example',
    form: { values: { domain: 'shop.acme.example' } },
    asks: true,
    calls: [{ method: 'DELETE', path: `${path}/domains/shop.acme.example` }],
    sees: ['Delete domain shop.acme.example: ✅ Done'],
  },
  {
    operation: 'port open',
    typed: 'port open VPS-10002 http 8080',
    form: { values: { vps: 'VPS-10002', protocol: 'http', port: '8080' } },
    calls: [
      {
        method: 'POST',
        path: `${path}/dedicated-ports`,
        body: { vps_name: 'VPS-10002', protocol: 'http', target_port: 8080 },
      },
    ],
    sees: ['Open a http port to VPS-10002:8080: ✅ Done', /External port: [3-6]\d{4}/, 'Close Port'],
  },
  {
    operation: 'port close',
    typed: `port close ${externalPort}`,
    form: { values: { port: externalPort } },
    asks: true,
    calls: [{ method: 'DELETE', path: `${path}/dedicated-ports/${externalPort}` }],
    sees: [`Close port ${externalPort}: ✅ Done`],
  },
  {
    operation: 'lb create',
    typed:
      'lb create App.acme.example --backend VPS-10001:80:weight=2 --backend VPS-10002:8080:backup --health /up --dedicated-port 1',
    form: {
      values: {
        domain_name: 'app.acme.example',
        backends: [
          { vps_name: 'VPS-10001', target_port: '80', weight: '2' },
          { vps_name: 'VPS-10002', target_port: '8080', is_backup: true },
        ],
        health_check_path: '/up',
        dedicated_port_id: '1',
      },
    },
    calls: [
      {
        method: 'POST',
        path: `${path}/load-balancers`,
        body: {
          domain_name: 'app.acme.example',
          mode: 'roundrobin',
          sticky_mode: 'cookie',
          health_check_path: '/up',
          redirect_https: false,
          websocket_enabled: false,
          dedicated_port_id: 1,
          backends,
        },
      },
    ],
    sees: ['Create load balancer app.acme.example: ✅ Done', 'VPS-10001:80, VPS-10002:8080 (backup)'],
  },
  {
    operation: 'lb create',
    typed: 'lb create plain.acme.example --backend VPS-10001:80:weight=2 --backend VPS-10002:8080:backup',
    calls: [
      {
        method: 'POST',
        path: `${path}/load-balancers`,
        body: {
          domain_name: 'plain.acme.example',
          mode: 'roundrobin',
          sticky_mode: 'cookie',
          health_check_path: '/',
          redirect_https: false,
          websocket_enabled: false,
          dedicated_port_id: 0,
          backends,
        },
      },
    ],
    sees: ['Create load balancer plain.acme.example: ✅ Done'],
  },
  {
    operation: 'lb delete',
    typed: 'lb delete www.acme.example',
    form: { values: { domain: 'www.acme.example' } },
    asks: true,
    calls: [{ method: 'DELETE', path: `${path}/load-balancers/www.acme.example` }],
    sees: ['Delete load balancer www.acme.example: ✅ Done'],
  },
];
