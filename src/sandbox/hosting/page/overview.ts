import { permissions } from '../../../hosting/endpoints/endpoint.ts';
import { liveMetrics } from '../monitoring/vps-metrics.ts';
import type { Service } from '../service.ts';
import type { Account } from '../state/account.ts';
import { listAttached } from '../state/ip-resources.ts';
import { stateAt } from '../state/power.ts';
import { vlanQuota } from '../state/vlans.ts';
import type { Vps } from '../state/vps.ts';
import { webgateQuotas } from '../state/webgate.ts';

function describeVps(account: Account, machine: Vps, nowMs: number) {
  const { vps_name, hostname, plan, region, os, power, snapshots, backupFtp } = machine;
  const phase = power.findLast(({ fromMs }) => fromMs <= nowMs);
  const next = power.find(({ fromMs }) => fromMs > nowMs);
  const { cpu, mem, maxmem, disk, maxdisk } = liveMetrics(machine, account.noise, nowMs);
  return {
    vps_name,
    hostname,
    plan,
    region,
    os,
    state: stateAt(power, nowMs),
    since: phase?.fromMs ?? nowMs,
    /** When the state ends on its own, or `null` if it doesn't. */
    until: next?.fromMs ?? null,
    ipv4: listAttached(vps_name, account.ipv4)[0]?.address ?? null,
    load: { cpu, memory: mem / maxmem, disk: disk / maxdisk },
    snapshots: snapshots.all().map(({ name, size_gb, createdMs, readyMs }) => ({
      name,
      size_gb,
      created_at: createdMs,
      is_ready: readyMs <= nowMs,
    })),
    has_backup: backupFtp.credentials !== null,
  };
}

/**
 * Describes the current account, keys, fleet and WebGate for the page. Shares are from 0 to 1, and
 * times in epoch ms.
 */
export function createOverview({ account, keyring, options }: Service) {
  const nowMs = options.now();
  const { webgate, vlans } = account;
  return {
    now: nowMs,
    slack_url: options.slackUrl() ?? null,
    account: account.owner,
    window_ms: keyring.windowMs,
    permissions,
    keys: keyring.all().map((key) => ({ key: key.key, permissions: key.permissions, quota: key.quota })),
    machines: account.vps.all().map((machine) => describeVps(account, machine, nowMs)),
    webgate: {
      quotas: webgateQuotas,
      domains: webgate.domains.all().map(({ domain_name, vps_name }) => ({ domain_name, vps_name })),
      dedicated_ports: webgate.dedicatedPorts.all(),
      load_balancers: webgate.loadBalancers.all(),
    },
    vlan_quota: vlanQuota,
    vlans: vlans.all().map(({ id, name, ip_range, addresses }) => ({
      id,
      name,
      ip_range,
      vps_count: addresses.size,
    })),
  };
}

/** Returns a fingerprint of everything that changes over time: the states of VPS and snapshots. */
export function createStateFingerprint({ account, options }: Service): string {
  const nowMs = options.now();
  const parts = account.vps
    .all()
    .map(({ power, snapshots }) => [
      stateAt(power, nowMs),
      snapshots.all().map(({ readyMs }) => readyMs <= nowMs),
    ]);
  return JSON.stringify(parts);
}
