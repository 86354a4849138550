import type { Load } from '../monitoring/load.ts';
import { conflict } from '../refusal.ts';
import type { BackupFtpSpace } from './backup-ftp.ts';
import type { Collection } from './collection.ts';
import { type LastingState, type PassingState, type PowerHistory, stateAt } from './power.ts';

/** Describes a snapshot; what it holds is not kept. */
export interface Snapshot {
  readonly name: string;
  readonly size_gb: number;
  readonly createdMs: number;
  /** Until then it is being created. */
  readonly readyMs: number;
}

/** How a VPS is used, for its monitoring. Shares are 0 to 1. */
export interface Habit {
  /** Share of the CPU that it uses at night. */
  readonly idleCpu: number;
  /** Share of the CPU that office hours add. */
  readonly officeCpu: number;
  readonly memory: number;
  /** `filling` climbs to nearly full, again and again. */
  readonly disk: number | 'filling';
  /** Bytes that it sends per second in office hours. */
  readonly trafficBytesPerSecond: number;
}

/** A VPS with everything that belongs to it alone. */
export interface Machine {
  readonly vps_name: string;
  /** Position in the fleet, from 0. */
  readonly ordinal: number;
  readonly hostname: string;
  readonly plan: string;
  readonly region: string;
  readonly cores: number;
  readonly memory_mb: number;
  readonly disk_gb: number;
  readonly habit: Habit;
  readonly power: PowerHistory;
  readonly snapshots: Collection<Snapshot>;
  readonly backupFtp: BackupFtpSpace;
  readonly sshProxyPort: number;
  sshPort: number;
  os: string;
  /** What it is made to read from a moment on, in place of what its habit gives. */
  pinned?: { readonly fromMs: number; readonly load: Partial<Load> };
}

/** Returns the state of a VPS that is doing nothing else, or refuses with 409 while it is between two states. */
export function settledState(machine: Machine, nowMs: number): LastingState {
  const state = stateAt(machine.power, nowMs);
  if (state === 'running' || state === 'stopped') return state;
  throw conflict(`${machine.vps_name} is ${state}. Try again when that is done.`);
}

/** Refuses with 409 unless a VPS is in `wanted` and doing nothing else. */
export function requireState(machine: Machine, nowMs: number, wanted: LastingState): void {
  const state = settledState(machine, nowMs);
  if (state !== wanted) throw conflict(`${machine.vps_name} is ${state}.`);
}

/** A state that a VPS passes through, for how long, and where it leads. */
export interface Passage {
  readonly via: PassingState;
  readonly forMs: number;
  readonly to: LastingState;
}

/** Lets a VPS begin a passage; one that has not ended is replaced. */
export function passThrough(machine: Machine, nowMs: number, { via, forMs, to }: Passage): void {
  while ((machine.power.at(-1)?.fromMs ?? 0) > nowMs) machine.power.pop();
  machine.power.push({ fromMs: nowMs, state: via }, { fromMs: nowMs + forMs, state: to });
}
