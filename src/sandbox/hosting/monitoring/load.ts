import type { Machine } from '../state/machine.ts';
import type { Noise } from './noise.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** 1 January 1970 was a Thursday, the fourth day of a week that begins on Sunday. */
const epochWeekday = 4;

const backupStartMs = 2 * hourMs;
const backupLengthMs = 40 * minuteMs;
const backupBytesPerSecond = 18e6;

const fillPeriodMs = 14 * dayMs;

/** How busy a VPS is: `cpu`, `mem` and `disk` as shares from 0 to 1, the rest in bytes per second. */
export interface Load {
  readonly cpu: number;
  readonly mem: number;
  readonly disk: number;
  readonly netin: number;
  readonly netout: number;
  readonly diskread: number;
  readonly diskwrite: number;
}

/** Tells how much people work at a moment: a bell around 13:00 UTC, 0 to 1, low on weekends. */
function officeDemand(atMs: number): number {
  const weekday = (Math.floor(atMs / dayMs) + epochWeekday) % 7;
  const hour = (atMs % dayMs) / hourMs;
  const bell = Math.exp(-(((hour - 13) / 4) ** 2));
  return weekday === 0 || weekday === 6 ? bell * 0.3 : bell;
}

/** Tells how hard the nightly backup works, 0 to 1; each VPS begins some minutes after the one before. */
function backupEffort(ordinal: number, atMs: number): number {
  const startMs = backupStartMs + (ordinal % 12) * 5 * minuteMs;
  const share = ((atMs % dayMs) - startMs) / backupLengthMs;
  return share > 0 && share < 1 ? Math.sqrt(Math.sin(Math.PI * share)) : 0;
}

function diskShare({ habit, ordinal }: Machine, noise: Noise, atMs: number): number {
  if (habit.disk === 'filling') return 0.78 + 0.19 * ((atMs % fillPeriodMs) / fillPeriodMs);
  return habit.disk + 0.01 * noise(ordinal * 4 + 3, atMs, dayMs);
}

function between(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

/** Tells how busy a VPS is at a moment at which it runs. */
export function loadAt(machine: Machine, noise: Noise, atMs: number): Load {
  const { pinned } = machine;
  const usual = usualLoadAt(machine, noise, atMs);
  return pinned && atMs >= pinned.fromMs ? { ...usual, ...pinned.load } : usual;
}

function usualLoadAt(machine: Machine, noise: Noise, atMs: number): Load {
  const { habit, ordinal } = machine;
  const demand = officeDemand(atMs);
  const backup = backupEffort(ordinal, atMs);
  const drift = noise(ordinal * 4, atMs, 70 * minuteMs);
  const jitter = noise(ordinal * 4 + 1, atMs, 3 * minuteMs);
  const wobble = 0.2 * drift + 0.1 * jitter;
  const traffic = habit.trafficBytesPerSecond * (0.08 + demand) * (1 + wobble);
  return {
    cpu: between(
      habit.idleCpu + habit.officeCpu * demand * (1 + wobble) + 0.22 * backup + 0.02 * drift + 0.015 * jitter,
      0.004,
      1,
    ),
    mem: between(habit.memory + 0.06 * demand + 0.02 * noise(ordinal * 4 + 2, atMs, 3 * hourMs), 0, 0.99),
    disk: diskShare(machine, noise, atMs),
    netin: traffic * 0.28,
    netout: traffic + backupBytesPerSecond * backup,
    diskread: traffic * 0.1 + backupBytesPerSecond * 1.4 * backup,
    diskwrite: traffic * 0.16 + 2e5 * (1 + jitter),
  };
}
