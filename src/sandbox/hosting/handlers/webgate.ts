import { z } from 'zod';
import { loadBalancerModes, stickyModes } from '../../../hosting/endpoints/fields.ts';
import type * as endpoints from '../../../hosting/endpoints/webgate.ts';
import { assertChoice, conflict, notFound, unprocessableField } from '../api-error.ts';
import { createDedicatedPort, type Webgate, webgateQuotas } from '../state/webgate.ts';
import type { PartHandlers } from './handler.ts';
import { formatIsoTime } from './iso-time.ts';

type WebgateResource = keyof typeof webgateQuotas;

const hostname = z
  .hostname()
  .max(253)
  .regex(/\.[a-z]/i)
  .toLowerCase();

function parseDomainName(text: string): string {
  const result = hostname.safeParse(text);
  if (!result.success)
    throw unprocessableField('domain_name', 'Expected a domain name like www.example.com.');
  return result.data;
}

function countUsage({ domains, dedicatedPorts, loadBalancers }: Webgate): Record<WebgateResource, number> {
  return {
    domains: domains.all().length,
    dedicated_ports: dedicatedPorts.all().length,
    load_balancers: loadBalancers.all().length,
  };
}

function assertQuota(webgate: Webgate, kind: WebgateResource): void {
  const quota = webgateQuotas[kind];
  if (countUsage(webgate)[kind] < quota) return;
  throw conflict(`The account has reached its limit of ${quota} ${kind.replace('_', ' ')}.`);
}

/** Throws if a domain name is taken, either by a domain that points to a VPS or by a load balancer. */
function assertNameIsFree({ domains, loadBalancers }: Webgate, domainName: string): void {
  if (domains.has(domainName)) throw conflict(`${domainName} already points to a VPS.`);
  if (loadBalancers.has(domainName)) throw conflict(`${domainName} already has a load balancer.`);
}

function assertPortIsLinkable({ dedicatedPorts, loadBalancers }: Webgate, portId: number): void {
  if (portId === 0) return;
  if (!dedicatedPorts.all().some(({ id }) => id === portId)) {
    throw notFound(`There's no dedicated port with the id ${portId}.`);
  }
  const user = loadBalancers.all().find(({ dedicated_port_id }) => dedicated_port_id === portId);
  if (user) throw conflict(`Dedicated port ${portId} is already linked to ${user.domain_name}.`);
}

export const webgateHandlers: PartHandlers<typeof endpoints> = {
  getWebgate({ account: { webgate } }) {
    return {
      quotas: webgateQuotas,
      usage: countUsage(webgate),
      domains: webgate.domains.all().map(({ createdMs, ...domain }) => ({
        ...domain,
        created_at: formatIsoTime(createdMs),
      })),
      dedicated_ports: webgate.dedicatedPorts.all(),
      load_balancers: webgate.loadBalancers.all(),
    };
  },

  createDomain({ account: { vps, webgate }, body, nowMs }) {
    const domain_name = parseDomainName(body.domain_name);
    const { vps_name } = vps.get(body.vps_name);
    assertNameIsFree(webgate, domain_name);
    assertQuota(webgate, 'domains');
    webgate.domains.add({ domain_name, vps_name, createdMs: nowMs });
    return { domain_name, vps_name, created_at: formatIsoTime(nowMs) };
  },

  deleteDomain({ account: { webgate }, params }) {
    const { domain_name } = webgate.domains.remove(params.domain_name.toLowerCase());
    return { domain_name, deleted: true };
  },

  createDedicatedPort({ account: { vps, webgate, random }, body }) {
    const { vps_name } = vps.get(body.vps_name);
    assertQuota(webgate, 'dedicated_ports');
    const port = createDedicatedPort({ ...body, vps_name }, webgate.dedicatedPorts.all(), random);
    webgate.dedicatedPorts.add(port);
    return { ...port, host: 'webgate.example.net' };
  },

  deleteDedicatedPort({ account: { webgate }, params }) {
    const { id, external_port } = webgate.dedicatedPorts.get(params.external_port);
    const user = webgate.loadBalancers.all().find(({ dedicated_port_id }) => dedicated_port_id === id);
    if (user) throw conflict(`Dedicated port ${external_port} is linked to ${user.domain_name}.`);
    webgate.dedicatedPorts.remove(external_port);
    return { external_port, deleted: true };
  },

  createLoadBalancer({ account: { vps, webgate }, body }) {
    const domain_name = parseDomainName(body.domain_name);
    assertChoice('mode', body.mode, loadBalancerModes);
    assertChoice('sticky_mode', body.sticky_mode, stickyModes);
    const { dedicated_port_id = 0 } = body;
    if (body.backends.every(({ is_backup }) => is_backup)) {
      throw unprocessableField('backends', 'At least one backend must not be a backup.');
    }
    const backends = body.backends.map(({ vps_name, target_port, weight = 1, is_backup = false }) => ({
      vps_name: vps.get(vps_name).vps_name,
      target_port,
      weight,
      is_backup,
    }));
    assertPortIsLinkable(webgate, dedicated_port_id);
    assertNameIsFree(webgate, domain_name);
    assertQuota(webgate, 'load_balancers');
    const loadBalancer = { ...body, domain_name, dedicated_port_id, backends };
    webgate.loadBalancers.add(loadBalancer);
    return loadBalancer;
  },

  deleteLoadBalancer({ account: { webgate }, params }) {
    const { domain_name } = webgate.loadBalancers.remove(params.domain_name.toLowerCase());
    return { domain_name, deleted: true };
  },
};
