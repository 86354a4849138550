import type * as endpoints from '../../../hosting/endpoints/vps.ts';
import { assertChoice, unprocessableField } from '../api-error.ts';
import type { Account } from '../state/account.ts';
import { firstAddresses, listAttached } from '../state/ip-resources.ts';
import { type StableState, stateAt, uptimeSeconds } from '../state/power.ts';
import {
  assertState,
  readStableState,
  type StateTransition,
  startTransition,
  type Vps,
} from '../state/vps.ts';
import type { PartHandlers } from './handler.ts';
import { formatIsoTime } from './iso-time.ts';

const reinstallMs = 8_000;

interface Action extends StateTransition {
  readonly requiredState: StableState;
}

const actions: ReadonlyMap<string, Action> = new Map([
  ['reboot', { requiredState: 'running', via: 'rebooting', durationMs: 4_000, to: 'running' }],
  ['start', { requiredState: 'stopped', via: 'starting', durationMs: 3_000, to: 'running' }],
  ['stop', { requiredState: 'running', via: 'stopping', durationMs: 1_000, to: 'stopped' }],
  ['shutdown', { requiredState: 'running', via: 'stopping', durationMs: 5_000, to: 'stopped' }],
]);

const operatingSystems = [
  { id: 'debian-13', name: 'Debian 13' },
  { id: 'debian-12', name: 'Debian 12' },
  { id: 'ubuntu-24.04', name: 'Ubuntu 24.04 LTS' },
  { id: 'ubuntu-22.04', name: 'Ubuntu 22.04 LTS' },
  { id: 'rocky-9', name: 'Rocky Linux 9' },
  { id: 'alpine-3.22', name: 'Alpine Linux 3.22' },
];

const passwordDeliveries = ['api', 'email'];

type Addresses = ReadonlyMap<string, string>;

/** Describes VPS. Searches the addresses only once, even for a long list. */
function describeAll({ ipv4, ipv6 }: Account, machines: readonly Vps[], nowMs: number) {
  const names = new Set(machines.map(({ vps_name }) => vps_name));
  const addresses = { v4: firstAddresses(ipv4, names), v6: firstAddresses(ipv6, names) };
  return machines.map((machine) => describe(machine, addresses, nowMs));
}

function describe(machine: Vps, { v4, v6 }: { v4: Addresses; v6: Addresses }, nowMs: number) {
  const { vps_name, hostname, plan, region, os, cores, memory_mb, disk_gb, power } = machine;
  return {
    vps_name,
    hostname,
    state: stateAt(power, nowMs),
    plan,
    region,
    os,
    cores,
    memory_mb,
    disk_gb,
    ipv4: v4.get(vps_name) ?? null,
    ipv6: v6.get(vps_name) ?? null,
    uptime: uptimeSeconds(power, nowMs),
    created_at: formatIsoTime(power[0]?.fromMs ?? nowMs),
  };
}

/** Delivers a new root password, either in the response or in an email that the response only mentions. */
function deliverPassword({ owner, random }: Account, delivery: string) {
  return delivery === 'api'
    ? { delivery, root_password: random.password() }
    : { delivery, sent_to: owner.email };
}

export const vpsHandlers: PartHandlers<typeof endpoints> = {
  listVps: ({ account, nowMs, page }) => ({
    vps: describeAll(account, page(account.vps.all()), nowMs),
  }),

  getVps: ({ account, params, nowMs }) => describeAll(account, [account.vps.get(params.vps_name)], nowMs)[0],

  listVpsIpAddresses({ account, params }) {
    const { vps_name } = account.vps.get(params.vps_name);
    return {
      vps_name,
      ipv4: listAttached(vps_name, account.ipv4),
      ipv6: listAttached(vps_name, account.ipv6),
    };
  },

  performVpsAction({ account, params, body, nowMs }) {
    const action = actions.get(body.action);
    if (!action) throw unprocessableField('action', `Expected one of ${[...actions.keys()].join(', ')}.`);
    const machine = account.vps.get(params.vps_name);
    // A second reboot starts the reboot again, as on a real hypervisor.
    if (stateAt(machine.power, nowMs) !== action.via) assertState(machine, nowMs, action.requiredState);
    startTransition(machine, nowMs, action);
    return { vps_name: machine.vps_name, action: body.action, state: action.via };
  },

  getReinstallOptions({ account, params }) {
    const { vps_name, os } = account.vps.get(params.vps_name);
    return {
      vps_name,
      current_os: os,
      operating_systems: operatingSystems,
      body: { os: operatingSystems.map(({ id }) => id), delivery: passwordDeliveries },
    };
  },

  reinstallVps({ account, params, body, nowMs }) {
    assertChoice(
      'os',
      body.os,
      operatingSystems.map(({ id }) => id),
    );
    assertChoice('delivery', body.delivery, passwordDeliveries);
    const machine = account.vps.get(params.vps_name);
    readStableState(machine, nowMs);
    machine.os = body.os;
    startTransition(machine, nowMs, { via: 'reinstalling', durationMs: reinstallMs, to: 'running' });
    const { vps_name, os } = machine;
    return { vps_name, os, state: 'reinstalling', ...deliverPassword(account, body.delivery) };
  },

  resetRootPassword({ account, params, body, nowMs }) {
    assertChoice('delivery', body.delivery, passwordDeliveries);
    const machine = account.vps.get(params.vps_name);
    assertState(machine, nowMs, 'running');
    return { vps_name: machine.vps_name, ...deliverPassword(account, body.delivery) };
  },
};
