import type { OperationCase } from '../operation-case.ts';

const path = '/v1/services/webgate';

/** The external port that the sandbox's seed gives to its first dedicated port. */
const externalPort = '45020';

const backends = [
  { vps_name: 'VPS-10001', target_port: 80, weight: 2 },
  { vps_name: 'VPS-10002', target_port: 8080, is_backup: true },
];

export const webgateCases: readonly OperationCase[] = [
  {
    operation: 'webgate',
    command: 'webgate',
    calls: [{ method: 'GET', path }],
    expectedTexts: [
      'Domains: 2 of 10',
      'Dedicated ports: 1 of 10',
      'Load balancers: 1 of 5',
      'shop.acme.example | web-01 (VPS-10001)',
      'db-01 (VPS-10005):5432 by tcp',
      'web-01 (VPS-10001):8080, web-02 (VPS-10002):8080',
      'Sticky mode: cookie',
    ],
  },
  {
    operation: 'domain add',
    command: 'domain add New.acme.example vps-10003',
    form: { values: { domain: 'new.acme.example', vps: 'VPS-10003' } },
    calls: [
      {
        method: 'POST',
        path: `${path}/domains`,
        body: { domain_name: 'new.acme.example', vps_name: 'VPS-10003' },
      },
    ],
    expectedTexts: ['Point new.acme.example at api-01 (VPS-10003): ✅ Done'],
  },
  {
    operation: 'domain delete',
    command: 'domain delete SHOP.acme.example',
    form: { values: { domain: 'shop.acme.example' } },
    confirmation: true,
    calls: [{ method: 'DELETE', path: `${path}/domains/shop.acme.example` }],
    expectedTexts: ['Delete domain shop.acme.example: ✅ Done'],
  },
  {
    operation: 'port open',
    command: 'port open VPS-10002 http 8080',
    form: { values: { vps: 'VPS-10002', protocol: 'http', port: '8080' } },
    calls: [
      {
        method: 'POST',
        path: `${path}/dedicated-ports`,
        body: { vps_name: 'VPS-10002', protocol: 'http', target_port: 8080 },
      },
    ],
    expectedTexts: [
      'Open a dedicated HTTP port to port 8080 on web-02 (VPS-10002): ✅ Done',
      /Connect to: webgate\.example\.net:[3-6]\d{4}/,
      'Close Port',
    ],
  },
  {
    operation: 'port close',
    command: `port close ${externalPort}`,
    form: { values: { port: externalPort } },
    confirmation: true,
    calls: [{ method: 'DELETE', path: `${path}/dedicated-ports/${externalPort}` }],
    expectedTexts: [`Close port ${externalPort}: ✅ Done`],
  },
  {
    operation: 'lb create',
    command:
      'lb create App.acme.example --backend VPS-10001:80:weight=2 --backend VPS-10002:8080:backup --health /up --dedicated-port 1',
    form: {
      values: {
        domain_name: 'app.acme.example',
        backends: [
          { vps_name: 'VPS-10001', target_port: '80', weight: '2' },
          { vps_name: 'VPS-10002', target_port: '8080', is_backup: true },
        ],
        mode: 'roundrobin',
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
    expectedTexts: [
      'Create load balancer app.acme.example: ✅ Done',
      'web-01 (VPS-10001):80, web-02 (VPS-10002):8080 (backup)',
    ],
  },
  {
    operation: 'lb delete',
    command: 'lb delete www.acme.example',
    form: { values: { domain: 'www.acme.example' } },
    confirmation: true,
    calls: [{ method: 'DELETE', path: `${path}/load-balancers/www.acme.example` }],
    expectedTexts: ['Delete load balancer www.acme.example: ✅ Done'],
  },
];
