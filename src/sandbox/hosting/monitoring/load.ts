import type { Load } from '../state/load-profile.ts';
import type { Noise } from '../state/noise.ts';
import type { Vps } from '../state/vps.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** 1 January 1970 was a Thursday, which is day 4 of a week that starts on Sunday (day 0). */
const epochWeekday = 4;

const backupStartMs = 2 * hourMs;
const backupLengthMs = 40 * minuteMs;
const backupBytesPerSecond = 18e6;

const fillPeriodMs = 14 * dayMs;

/**
 * Returns how busy the offices are at a given time, from 0 to 1. The demand follows a bell curve
 * around 13:00 UTC and is low on weekends.
 */
function officeDemand(atMs: number): number {
  const weekday = (Math.floor(atMs / dayMs) + epochWeekday) % 7;
  const hour = (atMs % dayMs) / hourMs;
  const bell = Math.exp(-(((hour - 13) / 4) ** 2));
  return weekday === 0 || weekday === 6 ? bell * 0.3 : bell;
}

/** Returns the load caused by the nightly backup, from 0 to 1. The VPS start their backups a few minutes apart. */
function backupEffort(ordinal: number, atMs: number): number {
  const startMs = backupStartMs + (ordinal % 12) * 5 * minuteMs;
  const share = ((atMs % dayMs) - startMs) / backupLengthMs;
  return share > 0 && share < 1 ? Math.sqrt(Math.sin(Math.PI * share)) : 0;
}

function diskUsage({ loadProfile, ordinal }: Vps, noise: Noise, atMs: number): number {
  if (loadProfile.disk === 'filling') return 0.78 + 0.19 * ((atMs % fillPeriodMs) / fillPeriodMs);
  return loadProfile.disk + 0.01 * noise(ordinal * 4 + 3, atMs, dayMs);
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

export function loadAt(machine: Vps, noise: Noise, atMs: number): Load {
  const { loadOverride } = machine;
  const usual = baselineLoadAt(machine, noise, atMs);
  return loadOverride && atMs >= loadOverride.fromMs ? { ...usual, ...loadOverride.load } : usual;
}

function baselineLoadAt(machine: Vps, noise: Noise, atMs: number): Load {
  const { loadProfile, ordinal } = machine;
  const demand = officeDemand(atMs);
  const backup = backupEffort(ordinal, atMs);
  const drift = noise(ordinal * 4, atMs, 70 * minuteMs);
  const jitter = noise(ordinal * 4 + 1, atMs, 3 * minuteMs);
  const wobble = 0.2 * drift + 0.1 * jitter;
  const traffic = loadProfile.trafficBytesPerSecond * (0.08 + demand) * (1 + wobble);
  return {
    cpu: clamp(
      loadProfile.idleCpu +
        loadProfile.officeCpu * demand * (1 + wobble) +
        0.22 * backup +
        0.02 * drift +
        0.015 * jitter,
      0.004,
      1,
    ),
    mem: clamp(loadProfile.memory + 0.06 * demand + 0.02 * noise(ordinal * 4 + 2, atMs, 3 * hourMs), 0, 0.99),
    disk: diskUsage(machine, noise, atMs),
    netin: traffic * 0.28,
    netout: traffic + backupBytesPerSecond * backup,
    diskread: traffic * 0.1 + backupBytesPerSecond * 1.4 * backup,
    diskwrite: traffic * 0.16 + 2e5 * (1 + jitter),
  };
}
