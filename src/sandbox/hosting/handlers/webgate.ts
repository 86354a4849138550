import { z } from 'zod';
import type * as endpoints from '../../../hosting/endpoints/webgate.ts';
import { loadBalancerModes, stickyModes } from '../../../hosting/fields.ts';
import type { HandlersOf } from '../handler.ts';
import { isoTime } from '../iso-time.ts';
import { conflict, notFound, requireChoice, unprocessableField } from '../refusal.ts';
import { createDedicatedPort, type Webgate, webgateQuotas } from '../state/webgate.ts';

type Kind = keyof typeof webgateQuotas;

const hostname = z
  .hostname()
  .max(253)
  .regex(/\.[a-z]/i)
  .toLowerCase();

function readDomainName(text: string): string {
  const result = hostname.safeParse(text);
  if (!result.success)
    throw unprocessableField('domain_name', 'Expected a domain name like www.example.com.');
  return result.data;
}

function usageOf({ domains, dedicatedPorts, loadBalancers }: Webgate): Record<Kind, number> {
  return {
    domains: domains.all().length,
    dedicated_ports: dedicatedPorts.all().length,
    load_balancers: loadBalancers.all().length,
  };
}

function requireRoom(webgate: Webgate, kind: Kind): void {
  const quota = webgateQuotas[kind];
  if (usageOf(webgate)[kind] < quota) return;
  throw conflict(`The account already has ${quota} ${kind.replace('_', ' ')}, its quota.`);
}

/** A name can lead to one place only: to a VPS as a domain, or to a load balancer. */
function requireFreeName({ domains, loadBalancers }: Webgate, domainName: string): void {
  if (domains.has(domainName)) throw conflict(`${domainName} already points at a VPS.`);
  if (loadBalancers.has(domainName)) throw conflict(`${domainName} already has a load balancer.`);
}

function requireLinkablePort({ dedicatedPorts, loadBalancers }: Webgate, portId: number): void {
  if (portId === 0) return;
  if (!dedicatedPorts.all().some(({ id }) => id === portId)) {
    throw notFound(`There is no dedicated port with the id ${portId}.`);
  }
  const user = loadBalancers.all().find(({ dedicated_port_id }) => dedicated_port_id === portId);
  if (user) throw conflict(`Dedicated port ${portId} is already linked to ${user.domain_name}.`);
}

/** Answers for the WebGate. */
export const webgateHandlers: HandlersOf<typeof endpoints> = {
  getWebgate({ account: { webgate } }) {
    return {
      quotas: webgateQuotas,
      usage: usageOf(webgate),
      domains: webgate.domains.all().map(({ createdMs, ...domain }) => ({
        ...domain,
        created_at: isoTime(createdMs),
      })),
      dedicated_ports: webgate.dedicatedPorts.all(),
      load_balancers: webgate.loadBalancers.all(),
    };
  },

  createDomain({ account: { machines, webgate }, body, nowMs }) {
    const domain_name = readDomainName(body.domain_name);
    const { vps_name } = machines.get(body.vps_name);
    requireFreeName(webgate, domain_name);
    requireRoom(webgate, 'domains');
    webgate.domains.add({ domain_name, vps_name, createdMs: nowMs });
    return { domain_name, vps_name, created_at: isoTime(nowMs) };
  },

  deleteDomain({ account: { webgate }, params }) {
    const { domain_name } = webgate.domains.remove(params.domain_name.toLowerCase());
    return { domain_name, deleted: true };
  },

  createDedicatedPort({ account: { machines, webgate, random }, body }) {
    const { vps_name } = machines.get(body.vps_name);
    requireRoom(webgate, 'dedicated_ports');
    const port = createDedicatedPort({ ...body, vps_name }, webgate.dedicatedPorts.all(), random);
    webgate.dedicatedPorts.add(port);
    return { ...port };
  },

  deleteDedicatedPort({ account: { webgate }, params }) {
    const { id, external_port } = webgate.dedicatedPorts.get(params.external_port);
    const user = webgate.loadBalancers.all().find(({ dedicated_port_id }) => dedicated_port_id === id);
    if (user) throw conflict(`Dedicated port ${external_port} is linked to ${user.domain_name}.`);
    webgate.dedicatedPorts.remove(external_port);
    return { external_port, deleted: true };
  },

  createLoadBalancer({ account: { machines, webgate }, body }) {
    const domain_name = readDomainName(body.domain_name);
    requireChoice('mode', body.mode, loadBalancerModes);
    requireChoice('sticky_mode', body.sticky_mode, stickyModes);
    const { dedicated_port_id = 0 } = body;
    if (body.backends.every(({ is_backup }) => is_backup)) {
      throw unprocessableField('backends', 'At least one backend must not be a backup.');
    }
    const backends = body.backends.map(({ vps_name, target_port, weight = 1, is_backup = false }) => ({
      vps_name: machines.get(vps_name).vps_name,
      target_port,
      weight,
      is_backup,
    }));
    requireLinkablePort(webgate, dedicated_port_id);
    requireFreeName(webgate, domain_name);
    requireRoom(webgate, 'load_balancers');
    const loadBalancer = { ...body, domain_name, dedicated_port_id, backends };
    webgate.loadBalancers.add(loadBalancer);
    return loadBalancer;
  },

  deleteLoadBalancer({ account: { webgate }, params }) {
    const { domain_name } = webgate.loadBalancers.remove(params.domain_name.toLowerCase());
    return { domain_name, deleted: true };
  },
};
