import type * as endpoints from '../../../hosting/endpoints/vps.ts';
import type { HandlersOf } from '../handler.ts';
import { isoTime } from '../iso-time.ts';
import { requireChoice, unprocessableField } from '../refusal.ts';
import type { Account } from '../state/account.ts';
import { attachedTo } from '../state/ip-resources.ts';
import { type Machine, type Passage, passThrough, requireState, settledState } from '../state/machine.ts';
import { type LastingState, stateAt, uptimeSeconds } from '../state/power.ts';

const reinstallMs = 8_000;

interface Action extends Passage {
  readonly needs: LastingState;
}

const actions: ReadonlyMap<string, Action> = new Map([
  ['reboot', { needs: 'running', via: 'rebooting', forMs: 4_000, to: 'running' }],
  ['start', { needs: 'stopped', via: 'starting', forMs: 3_000, to: 'running' }],
  ['stop', { needs: 'running', via: 'stopping', forMs: 1_000, to: 'stopped' }],
  ['shutdown', { needs: 'running', via: 'stopping', forMs: 5_000, to: 'stopped' }],
]);

const operatingSystems = [
  { id: 'debian-13', name: 'Debian 13' },
  { id: 'debian-12', name: 'Debian 12' },
  { id: 'ubuntu-24.04', name: 'Ubuntu 24.04 LTS' },
  { id: 'ubuntu-22.04', name: 'Ubuntu 22.04 LTS' },
  { id: 'rocky-9', name: 'Rocky Linux 9' },
  { id: 'alpine-3.22', name: 'Alpine Linux 3.22' },
];

const deliveries = ['api', 'email'];

function describe({ ipv4, ipv6 }: Account, machine: Machine, nowMs: number) {
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
    ipv4: attachedTo(vps_name, ipv4)[0]?.address ?? null,
    ipv6: attachedTo(vps_name, ipv6)[0]?.address ?? null,
    uptime: uptimeSeconds(power, nowMs),
    created_at: isoTime(power[0]?.fromMs ?? nowMs),
  };
}

/** Hands over a new root password: in the answer, or in an e-mail that the answer only mentions. */
function deliverPassword({ owner, random }: Account, delivery: string) {
  return delivery === 'api'
    ? { delivery, root_password: random.password() }
    : { delivery, sent_to: owner.email };
}

/** Answers for the VPS themselves. */
export const vpsHandlers: HandlersOf<typeof endpoints> = {
  listVps: ({ account, nowMs }) => ({
    vps: account.machines.all().map((machine) => describe(account, machine, nowMs)),
  }),

  getVps: ({ account, params, nowMs }) => describe(account, account.machines.get(params.vps_name), nowMs),

  listVpsIpAddresses({ account, params }) {
    const { vps_name } = account.machines.get(params.vps_name);
    return { vps_name, ipv4: attachedTo(vps_name, account.ipv4), ipv6: attachedTo(vps_name, account.ipv6) };
  },

  performVpsAction({ account, params, body, nowMs }) {
    const action = actions.get(body.action);
    if (!action) throw unprocessableField('action', `Expected one of ${[...actions.keys()].join(', ')}.`);
    const machine = account.machines.get(params.vps_name);
    // Who reboots twice gets a reboot that begins anew, as from a hypervisor.
    if (stateAt(machine.power, nowMs) !== action.via) requireState(machine, nowMs, action.needs);
    passThrough(machine, nowMs, action);
    return { vps_name: machine.vps_name, action: body.action, state: action.via };
  },

  getReinstallOptions({ account, params }) {
    const { vps_name, os } = account.machines.get(params.vps_name);
    return {
      vps_name,
      current_os: os,
      operating_systems: operatingSystems,
      body: { os: operatingSystems.map(({ id }) => id), delivery: deliveries },
    };
  },

  reinstallVps({ account, params, body, nowMs }) {
    requireChoice(
      'os',
      body.os,
      operatingSystems.map(({ id }) => id),
    );
    requireChoice('delivery', body.delivery, deliveries);
    const machine = account.machines.get(params.vps_name);
    settledState(machine, nowMs);
    machine.os = body.os;
    passThrough(machine, nowMs, { via: 'reinstalling', forMs: reinstallMs, to: 'running' });
    const { vps_name, os } = machine;
    return { vps_name, os, state: 'reinstalling', ...deliverPassword(account, body.delivery) };
  },

  resetRootPassword({ account, params, body, nowMs }) {
    requireChoice('delivery', body.delivery, deliveries);
    const machine = account.machines.get(params.vps_name);
    requireState(machine, nowMs, 'running');
    return { vps_name: machine.vps_name, ...deliverPassword(account, body.delivery) };
  },
};
