import type * as endpoints from '../../../hosting/endpoints/vlans.ts';
import { conflict, unprocessableField } from '../api-error.ts';
import {
  createVlan,
  findFreeAddress,
  rangesOverlap,
  type Vlan,
  validateIpRange,
  vlanQuota,
} from '../state/vlans.ts';
import type { PartHandlers } from './handler.ts';

const bandwidthQuotaMbps = 1000;

function describe({ id, name, ip_range, addresses }: Vlan) {
  return { id, name, ip_range, vps: [...addresses.keys()] };
}

/** Handlers for the VLANs. A VPS can be in only one VLAN. */
export const vlanHandlers: PartHandlers<typeof endpoints> = {
  listVlans({ account, params }) {
    const { vps_name } = account.vps.get(params.vps_name);
    const vlans = account.vlans.all();
    const own = vlans.find(({ addresses }) => addresses.has(vps_name));
    return {
      vps_name,
      vlans: vlans.map(describe),
      vlan_quota: vlanQuota,
      vlan_used: vlans.length,
      bandwidth_quota_mbps: bandwidthQuotaMbps,
      vlan_id: own?.id ?? null,
      vlan_ip: own?.addresses.get(vps_name) ?? null,
    };
  },

  createVlan({ account, params, body }) {
    const complaint = validateIpRange(body.ip_range);
    if (complaint) throw unprocessableField('ip_range', complaint);
    account.vps.get(params.vps_name);
    const vlans = account.vlans.all();
    const rival = vlans.find(({ ip_range }) => rangesOverlap(ip_range, body.ip_range));
    if (rival) throw conflict(`${body.ip_range} overlaps ${rival.ip_range} of VLAN ${rival.name}.`);
    if (vlans.length >= vlanQuota) throw conflict(`The account already has ${vlanQuota} VLANs, its quota.`);
    const vlan = createVlan(body.name, body.ip_range, account.random);
    account.vlans.add(vlan);
    return describe(vlan);
  },

  attachVlan({ account, params, body }) {
    const { vps_name } = account.vps.get(params.vps_name);
    const vlan = account.vlans.get(body.vlan_id);
    const own = account.vlans.all().find(({ addresses }) => addresses.has(vps_name));
    if (own) throw conflict(`${vps_name} is already attached to VLAN ${own.name}.`);
    const vlan_ip = findFreeAddress(vlan);
    if (!vlan_ip) throw conflict(`Every address of ${vlan.ip_range} is taken.`);
    vlan.addresses.set(vps_name, vlan_ip);
    return { vps_name, vlan_id: vlan.id, vlan_ip };
  },

  detachVlan({ account, params, body }) {
    const { vps_name } = account.vps.get(params.vps_name);
    const vlan = account.vlans.get(body.vlan_id);
    if (!vlan.addresses.delete(vps_name)) {
      throw conflict(`${vps_name} is not attached to VLAN ${vlan.name}.`);
    }
    return { vps_name, vlan_id: vlan.id, vlan_ip: null };
  },

  deleteVlan({ account, params }) {
    account.vps.get(params.vps_name);
    const vlan = account.vlans.get(params.id);
    if (vlan.addresses.size > 0) {
      throw conflict(`VLAN ${vlan.name} is still attached to ${[...vlan.addresses.keys()].join(', ')}.`);
    }
    account.vlans.remove(vlan.id);
    return { id: vlan.id, deleted: true };
  },
};
