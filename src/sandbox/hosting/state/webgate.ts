import { type Backend, externalPortRange } from '../../../hosting/endpoints/fields.ts';
import { type Collection, createCollection } from './collection.ts';
import type { Random } from './random.ts';

interface Domain {
  readonly domain_name: string;
  readonly vps_name: string;
  readonly createdMs: number;
}

export interface DedicatedPort {
  /** The ID that a load balancer's `dedicated_port_id` refers to. Counts from 1. */
  readonly id: number;
  readonly vps_name: string;
  readonly protocol: 'tcp' | 'http';
  readonly target_port: number;
  readonly external_port: number;
}

interface LoadBalancer {
  readonly domain_name: string;
  readonly mode: string;
  readonly sticky_mode: string;
  readonly health_check_path: string;
  readonly redirect_https: boolean;
  readonly websocket_enabled: boolean;
  /** 0 if there is none. */
  readonly dedicated_port_id: number;
  readonly backends: readonly Required<Backend>[];
}

export interface Webgate {
  readonly domains: Collection<Domain>;
  readonly dedicatedPorts: Collection<DedicatedPort>;
  readonly loadBalancers: Collection<LoadBalancer>;
}

/** Maximum number of each kind in an account. */
export const webgateQuotas = { domains: 10, dedicated_ports: 10, load_balancers: 5 } as const;

/** Creates a dedicated port with a random unused external port and the next ID. */
export function createDedicatedPort(
  target: Pick<DedicatedPort, 'vps_name' | 'protocol' | 'target_port'>,
  existing: readonly DedicatedPort[],
  random: Random,
): DedicatedPort {
  const taken = new Set(existing.map(({ external_port }) => external_port));
  let external_port = random.integer(externalPortRange.min, externalPortRange.max);
  while (taken.has(external_port))
    external_port = random.integer(externalPortRange.min, externalPortRange.max);
  return { id: Math.max(0, ...existing.map(({ id }) => id)) + 1, ...target, external_port };
}

/** Creates the initial WebGate. It uses only VPS that exist in the fleet. */
export function createWebgate(vpsNames: readonly string[], nowMs: number, random: Random): Webgate {
  const [web, otherWeb, api, , db] = vpsNames;
  const createdMs = nowMs - 90 * 86_400_000;
  const loadBalancer = {
    domain_name: 'www.acme.example',
    mode: 'roundrobin',
    sticky_mode: 'cookie',
    health_check_path: '/healthz',
    redirect_https: true,
    websocket_enabled: false,
    dedicated_port_id: 0,
  };
  const backends = [web, otherWeb]
    .filter((vps_name) => vps_name !== undefined)
    .map((vps_name) => ({ vps_name, target_port: 8080, weight: 1, is_backup: false }));
  return {
    domains: createCollection('domain', ({ domain_name }) => domain_name, [
      ...(web ? [{ domain_name: 'shop.acme.example', vps_name: web, createdMs }] : []),
      ...(api ? [{ domain_name: 'api.acme.example', vps_name: api, createdMs }] : []),
    ]),
    dedicatedPorts: createCollection(
      'dedicated port',
      ({ external_port }) => external_port,
      db ? [createDedicatedPort({ vps_name: db, protocol: 'tcp', target_port: 5432 }, [], random)] : [],
    ),
    loadBalancers: createCollection(
      'load balancer',
      ({ domain_name }) => domain_name,
      backends.length > 0 ? [{ ...loadBalancer, backends }] : [],
    ),
  };
}
