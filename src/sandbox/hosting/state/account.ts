import { type Collection, createCollection } from './collection.ts';
import { createFleet } from './fleet.ts';
import { createIpv4Resources, createIpv6Resources, type IpResources } from './ip-resources.ts';
import { createNoise, type Noise } from './noise.ts';
import { createRandom, type Random } from './random.ts';
import { createVlans, type Vlan } from './vlans.ts';
import type { Vps } from './vps.ts';
import { createWebgate, type Webgate } from './webgate.ts';

/** A customer's resources at the hosting service. */
export interface Account {
  readonly owner: { readonly id: string; readonly name: string; readonly email: string };
  readonly vps: Collection<Vps>;
  /** Maximum number of snapshots per VPS. */
  readonly snapshotQuota: number;
  readonly vlans: Collection<Vlan>;
  readonly ipv4: IpResources<number>;
  readonly ipv6: IpResources<string>;
  readonly webgate: Webgate;
  readonly random: Random;
  /** Source of the randomness in the metrics. */
  readonly noise: Noise;
}

/** Creates the initial account. The same seed and time produce the same account. */
export function createAccount({
  seed,
  vpsCount,
  snapshotQuota,
  nowMs,
}: {
  seed: number;
  vpsCount: number;
  snapshotQuota: number;
  nowMs: number;
}): Account {
  const random = createRandom(seed);
  const fleet = createFleet(vpsCount, nowMs, random);
  const vpsNames = fleet.map(({ vps_name }) => vps_name);
  return {
    snapshotQuota,
    owner: { id: 'customer-4711', name: 'Acme GmbH', email: 'ops@acme.example' },
    vps: createCollection('VPS', ({ vps_name }) => vps_name, fleet),
    vlans: createCollection('VLAN', ({ id }) => id, createVlans(vpsNames, random)),
    ipv4: createCollection('IPv4 resource', ({ id }) => id, createIpv4Resources(vpsNames)),
    ipv6: createCollection('IPv6 resource', ({ id }) => id, createIpv6Resources(vpsNames, random)),
    webgate: createWebgate(vpsNames, nowMs, random),
    random,
    noise: createNoise(seed),
  };
}
