import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { backend, externalPortRange, tcpPort, vpsName } from './fields.ts';

export const getWebgate = defineEndpoint({
  summary: 'WebGate: quotas, usage, domains, dedicated ports, active load balancers',
  method: 'GET',
  path: '/v1/services/webgate',
  permission: 'webgate.read',
  params: {},
});

export const createDomain = defineEndpoint({
  summary: 'Point a domain at a VPS',
  method: 'POST',
  path: '/v1/services/webgate/domains',
  permission: 'webgate.manage',
  effect: 'change',
  params: {},
  body: { domain_name: z.string().min(1), vps_name: vpsName },
});

export const deleteDomain = defineEndpoint({
  summary: 'Delete a domain',
  method: 'DELETE',
  path: '/v1/services/webgate/domains/{domain_name}',
  permission: 'webgate.manage',
  effect: 'destroy',
  params: { domain_name: z.string().min(1) },
});

export const createDedicatedPort = defineEndpoint({
  summary: 'Open a dedicated port to a VPS',
  method: 'POST',
  path: '/v1/services/webgate/dedicated-ports',
  permission: 'webgate.manage',
  effect: 'change',
  params: {},
  body: { vps_name: vpsName, protocol: z.enum(['tcp', 'http']), target_port: tcpPort },
});

export const deleteDedicatedPort = defineEndpoint({
  summary: 'Close a dedicated port',
  method: 'DELETE',
  path: '/v1/services/webgate/dedicated-ports/{external_port}',
  permission: 'webgate.manage',
  effect: 'destroy',
  params: { external_port: z.coerce.number().int().min(externalPortRange.min).max(externalPortRange.max) },
});

export const createLoadBalancer = defineEndpoint({
  summary: 'Create a load balancer',
  method: 'POST',
  path: '/v1/services/webgate/load-balancers',
  permission: 'webgate.manage',
  effect: 'change',
  params: {},
  body: {
    domain_name: z.string().min(1),
    mode: z.string().min(1),
    sticky_mode: z.string().min(1),
    health_check_path: z.string().startsWith('/'),
    redirect_https: z.boolean(),
    websocket_enabled: z.boolean(),
    dedicated_port_id: z.int().nonnegative().optional(),
    backends: z.array(backend).min(1),
  },
});

export const deleteLoadBalancer = defineEndpoint({
  summary: 'Delete a load balancer',
  method: 'DELETE',
  path: '/v1/services/webgate/load-balancers/{domain_name}',
  permission: 'webgate.manage',
  effect: 'destroy',
  params: { domain_name: z.string().min(1) },
});
