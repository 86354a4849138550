import { permissions } from '../../../hosting/endpoint.ts';
import { liveReading } from '../monitoring/readings.ts';
import type { Service } from '../service.ts';
import type { Account } from '../state/account.ts';
import { attachedTo } from '../state/ip-resources.ts';
import type { Machine } from '../state/machine.ts';
import { stateAt } from '../state/power.ts';
import { vlanQuota } from '../state/vlans.ts';
import { webgateQuotas } from '../state/webgate.ts';

function describeMachine(account: Account, machine: Machine, nowMs: number) {
  const { vps_name, hostname, plan, region, os, power, snapshots, backupFtp } = machine;
  const phase = power.findLast(({ fromMs }) => fromMs <= nowMs);
  const next = power.find(({ fromMs }) => fromMs > nowMs);
  const { cpu, mem, maxmem, disk, maxdisk } = liveReading(machine, account.noise, nowMs);
  return {
    vps_name,
    hostname,
    plan,
    region,
    os,
    state: stateAt(power, nowMs),
    since: phase?.fromMs ?? nowMs,
    /** When it moves on by itself. */
    until: next?.fromMs ?? null,
    ipv4: attachedTo(vps_name, account.ipv4)[0]?.address ?? null,
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

/** Describes account, keys, fleet and WebGate as they are now, for the page. Shares are 0 to 1, times in ms. */
export function overview({ account, keyring, options }: Service) {
  const nowMs = options.now();
  const { webgate, vlans } = account;
  return {
    now: nowMs,
    account: account.owner,
    window_ms: keyring.windowMs,
    permissions,
    keys: keyring.all().map((key) => ({ key: key.key, permissions: key.permissions, quota: key.quota })),
    machines: account.machines.all().map((machine) => describeMachine(account, machine, nowMs)),
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

/** What changes by itself as time passes: states of VPS and of snapshots. */
export function passingState({ account, options }: Service): string {
  const nowMs = options.now();
  const parts = account.machines
    .all()
    .map(({ power, snapshots }) => [
      stateAt(power, nowMs),
      snapshots.all().map(({ readyMs }) => readyMs <= nowMs),
    ]);
  return JSON.stringify(parts);
}
