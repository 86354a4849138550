import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { contract, resolvePath } from '../../../src/hosting/endpoints/contract.ts';
import type { Endpoint } from '../../../src/hosting/endpoints/endpoint.ts';
import { vpsName } from '../../../src/hosting/endpoints/fields.ts';

/** The documented routes: method, path, permission and body fields, `?` for optional ones. */
const documented = `
GET    /v1
GET    /v1/me

GET    /v1/vps                                            vps.read
GET    /v1/vps/{vps_name}                                 vps.read
GET    /v1/vps/{vps_name}/ip-addresses                    vps.read
POST   /v1/vps/{vps_name}/action                          vps.manage        action
GET    /v1/vps/{vps_name}/reinstall                       vps.read
POST   /v1/vps/{vps_name}/reinstall                       vps.manage        os delivery
POST   /v1/vps/{vps_name}/root-password/reset             vps.manage        delivery

GET    /v1/vps/{vps_name}/vlan                            vps.read
POST   /v1/vps/{vps_name}/vlan                            vps.manage        name ip_range
POST   /v1/vps/{vps_name}/vlan/attach                     vps.manage        vlan_id
POST   /v1/vps/{vps_name}/vlan/detach                     vps.manage        vlan_id
DELETE /v1/vps/{vps_name}/vlan/{id}                       vps.manage

GET    /v1/vps/{vps_name}/backup-ftp                      vps.read
PATCH  /v1/vps/{vps_name}/backup-ftp                      vps.manage        enabled
POST   /v1/vps/{vps_name}/backup-ftp/regenerate           vps.manage

GET    /v1/vps/{vps_name}/monitoring/live                 vps.monitoring
GET    /v1/vps/{vps_name}/monitoring/rrd                  vps.monitoring

GET    /v1/vps/{vps_name}/snapshots                       vps.read
POST   /v1/vps/{vps_name}/snapshots                       vps.manage        name
POST   /v1/vps/{vps_name}/snapshots/{name}/restore        vps.manage
DELETE /v1/vps/{vps_name}/snapshots/{name}                vps.manage

POST   /v1/services/ip-addresses/ipv4/{id}/attach         ip.manage         vps_name

GET    /v1/services/webgate                               webgate.read
POST   /v1/services/webgate/domains                       webgate.manage    domain_name vps_name
DELETE /v1/services/webgate/domains/{domain_name}         webgate.manage
POST   /v1/services/webgate/dedicated-ports               webgate.manage    vps_name protocol target_port
DELETE /v1/services/webgate/dedicated-ports/{external_port} webgate.manage
POST   /v1/services/webgate/load-balancers                webgate.manage    domain_name mode sticky_mode health_check_path redirect_https websocket_enabled dedicated_port_id? backends
DELETE /v1/services/webgate/load-balancers/{domain_name}  webgate.manage

GET    /v1/services/proxy-ssh-ipv4                        proxy_ssh.read
PATCH  /v1/services/proxy-ssh-ipv4/vps/{vps_name}         proxy_ssh.manage  port_vps_ssh
`;

/** The routes without a documented path: setting, method, permission and body fields. */
const configurableRoutes = [
  'HOSTING_IP_IPV4_LIST_PATH GET ip.read',
  'HOSTING_IP_IPV6_LIST_PATH GET ip.read',
  'HOSTING_IP_IPV4_DETACH_PATH POST ip.manage',
  'HOSTING_IP_IPV6_ATTACH_PATH POST ip.manage vps_name',
  'HOSTING_IP_IPV6_DETACH_PATH POST ip.manage',
];

const routes: readonly (readonly [string, Endpoint])[] = Object.entries(contract);

/** Formats a route like a line above, with single spaces. */
function line({ method, path, pathSetting, permission, body }: Endpoint): string {
  const fields = Object.entries(body?.shape ?? {}).map(([name, field]) =>
    z.safeParse(field, undefined).success ? `${name}?` : name,
  );
  const place = pathSetting ? [pathSetting, method] : [method, path];
  return [...place, permission, ...fields].filter((word) => word !== null).join(' ');
}

describe('the contract', () => {
  test('has exactly the 33 documented routes', () => {
    const shown = routes
      .filter(([, { pathSetting }]) => pathSetting === undefined)
      .map(([, route]) => line(route));
    const lines = documented
      .split('\n')
      .map((text) => text.trim().replaceAll(/ +/g, ' '))
      .filter((text) => text !== '');
    expect(lines).toHaveLength(33);
    expect(shown.toSorted()).toEqual(lines.toSorted());
  });

  test('has exactly the five IP routes without a documented path, each with a setting', () => {
    const left = routes
      .filter(([, { pathSetting }]) => pathSetting !== undefined)
      .map(([, route]) => line(route));
    expect(left.toSorted()).toEqual(configurableRoutes.toSorted());
  });

  test('has no two routes with the same method and path', () => {
    const places = routes.map(([, { method, path }]) => `${method} ${path}`);
    expect(new Set(places).size).toBe(places.length);
  });

  test('changes the path of a route only if it has a setting', () => {
    const names = routes.flatMap(([, { pathSetting }]) => (pathSetting === undefined ? [] : [pathSetting]));
    const settings = Object.fromEntries(names.map((name) => [name, `/v1/${name.toLowerCase()}`]));
    for (const [, route] of routes) {
      const { path, pathSetting } = route;
      expect(resolvePath(route, settings)).toBe(pathSetting ? `/v1/${pathSetting.toLowerCase()}` : path);
      expect(resolvePath(route, {})).toBe(path);
    }
  });
});

test.each(routes)(
  '%s has exactly the parameters of its path, and its effect, query and summary fit',
  (_, route) => {
    const { method, path, effect, params, query, body, summary } = route;
    const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(params.shape)).toEqual(placeholders);
    const effects = method === 'GET' ? ['read'] : ['change', 'disrupt', 'destroy'];
    expect(effects).toContain(effect);
    if (method === 'GET') expect(body).toBeNull();
    expect(Object.keys(query.shape)).toEqual(path.endsWith('/monitoring/rrd') ? ['range'] : []);
    expect(summary).toMatch(/^[A-Z][^\n]{5,100}[^.\n]$/);
  },
);

describe('a VPS name', () => {
  const prefix = fc.mixedCase(fc.constant('vps-'));
  const reference = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/);

  test('is accepted with its prefix in any case, and the case of the suffix stays', () => {
    fc.assert(
      fc.property(prefix, reference, (written, rest) => {
        expect(vpsName.parse(written + rest)).toBe(`VPS-${rest}`);
      }),
    );
  });

  test('is unchanged when parsed again', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          prefix.chain((written) => reference.map((rest) => written + rest)),
        ),
        (text) => {
          const once = vpsName.safeParse(text);
          if (once.success) expect(vpsName.parse(once.data)).toBe(once.data);
        },
      ),
    );
  });

  test.each([
    '',
    'VPS-',
    'VPS10001',
    'VP-10001',
    'web-1',
    ' VPS-10001',
    'VPS-10001\n',
    'VPS-1/../2',
    'VPS--1',
    'VPS-ü',
    `VPS-${'1'.repeat(41)}`,
  ])('cannot be %j', (text) => {
    expect(vpsName.safeParse(text).success).toBe(false);
  });
});
