import { createFtpCredentials } from './backup-ftp.ts';
import { createCollection } from './collection.ts';
import type { LoadProfile } from './load-profile.ts';
import type { PowerHistory } from './power.ts';
import type { Random } from './random.ts';
import type { Snapshot, Vps } from './vps.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const plans = {
  s: { plan: 'vps-s', cores: 2, memory_mb: 4096, disk_gb: 80 },
  m: { plan: 'vps-m', cores: 4, memory_mb: 8192, disk_gb: 160 },
  l: { plan: 'vps-l', cores: 8, memory_mb: 16_384, disk_gb: 320 },
  xl: { plan: 'vps-xl', cores: 12, memory_mb: 49_152, disk_gb: 640 },
} as const;

interface VpsTemplate {
  readonly name: string;
  readonly plan: keyof typeof plans;
  readonly os: string;
  readonly loadProfile: LoadProfile;
  readonly hasBackups?: boolean;
  readonly isStopped?: boolean;
}

function createLoadProfile(
  idleCpu: number,
  officeCpu: number,
  memory: number,
  disk: LoadProfile['disk'],
  trafficMbytesPerSecond: number,
): LoadProfile {
  return { idleCpu, officeCpu, memory, disk, trafficBytesPerSecond: trafficMbytesPerSecond * 1e6 };
}

const vpsTemplates: readonly [VpsTemplate, ...VpsTemplate[]] = [
  {
    name: 'web',
    plan: 'm',
    os: 'debian-12',
    loadProfile: createLoadProfile(0.08, 0.34, 0.55, 0.42, 4),
    hasBackups: true,
  },
  { name: 'web', plan: 'm', os: 'debian-12', loadProfile: createLoadProfile(0.07, 0.31, 0.53, 0.41, 3.6) },
  { name: 'api', plan: 'l', os: 'ubuntu-24.04', loadProfile: createLoadProfile(0.12, 0.4, 0.62, 0.35, 6) },
  {
    name: 'worker',
    plan: 'l',
    os: 'ubuntu-24.04',
    loadProfile: createLoadProfile(0.93, 0.02, 0.71, 0.3, 1.2),
  },
  {
    name: 'db',
    plan: 'xl',
    os: 'debian-12',
    loadProfile: createLoadProfile(0.15, 0.25, 0.82, 0.66, 3),
    hasBackups: true,
  },
  {
    name: 'db',
    plan: 'xl',
    os: 'debian-12',
    loadProfile: createLoadProfile(0.09, 0.12, 0.8, 0.66, 1.5),
    hasBackups: true,
  },
  { name: 'cache', plan: 'm', os: 'debian-13', loadProfile: createLoadProfile(0.05, 0.12, 0.74, 0.21, 8) },
  {
    name: 'files',
    plan: 'l',
    os: 'rocky-9',
    loadProfile: createLoadProfile(0.04, 0.1, 0.38, 'filling', 9),
    hasBackups: true,
  },
  {
    name: 'mail',
    plan: 's',
    os: 'debian-12',
    loadProfile: createLoadProfile(0.06, 0.14, 0.47, 0.58, 0.8),
    hasBackups: true,
  },
  { name: 'ci', plan: 'l', os: 'ubuntu-24.04', loadProfile: createLoadProfile(0.1, 0.55, 0.5, 0.6, 2.5) },
  {
    name: 'staging',
    plan: 's',
    os: 'ubuntu-22.04',
    loadProfile: createLoadProfile(0.03, 0.12, 0.41, 0.33, 0.3),
  },
  {
    name: 'legacy',
    plan: 's',
    os: 'debian-11',
    loadProfile: createLoadProfile(0.04, 0.03, 0.35, 0.71, 0.1),
    isStopped: true,
  },
];

const regions = ['fra-1', 'fra-2', 'ams-1'] as const;

function createPowerHistory(role: VpsTemplate, nowMs: number, random: Random): PowerHistory {
  const createdMs = nowMs - random.integer(200, 700) * dayMs;
  const history: PowerHistory = [{ fromMs: createdMs, state: 'running' }];
  const changedMs = nowMs - random.integer(7 * 24, 60 * 24) * hourMs;
  if (role.isStopped) history.push({ fromMs: nowMs - 9 * dayMs, state: 'stopped' });
  else
    history.push({ fromMs: changedMs, state: 'rebooting' }, { fromMs: changedMs + 4_000, state: 'running' });
  return history;
}

function createSnapshots(role: VpsTemplate, nowMs: number, random: Random): Snapshot[] {
  if (!role.hasBackups) return [];
  return ['before-upgrade', 'weekly'].map((name, index) => {
    const createdMs = nowMs - (20 - 15 * index) * dayMs;
    return { name, size_gb: random.integer(8, 40), createdMs, readyMs: createdMs };
  });
}

function createVps(ordinal: number, nowMs: number, random: Random): Vps {
  const role = vpsTemplates[ordinal % vpsTemplates.length] ?? vpsTemplates[0];
  const vpsName = `VPS-${10_001 + ordinal}`;
  const siblings = vpsTemplates.filter(({ name }) => name === role.name);
  const round = Math.floor(ordinal / vpsTemplates.length);
  const number = round * siblings.length + siblings.indexOf(role) + 1;
  return {
    vps_name: vpsName,
    ordinal,
    hostname: `${role.name}-${String(number).padStart(2, '0')}.acme.example`,
    ...plans[role.plan],
    region: regions[ordinal % regions.length] ?? regions[0],
    os: role.os,
    loadProfile: role.loadProfile,
    power: createPowerHistory(role, nowMs, random),
    snapshots: createCollection('snapshot', ({ name }) => name, createSnapshots(role, nowMs, random)),
    backupFtp: {
      quota_gb: 100,
      used_gb: role.hasBackups ? random.integer(5, 80) : 0,
      credentials: role.hasBackups ? createFtpCredentials(vpsName, random) : null,
    },
    sshProxyPort: 22_001 + ordinal,
    sshPort: 22,
  };
}

/**
 * Creates a realistic fleet, beginning with `VPS-10001`. In each twelve, one has a hot CPU, one has
 * a filling disk, and one is stopped.
 */
export function createFleet(count: number, nowMs: number, random: Random): Vps[] {
  return Array.from({ length: count }, (_, ordinal) => createVps(ordinal, nowMs, random));
}
