import { conflict } from '../api-error.ts';
import type { BackupFtpSpace } from './backup-ftp.ts';
import type { Collection } from './collection.ts';
import type { Load, LoadProfile } from './load-profile.ts';
import { type PowerHistory, type StableState, stateAt, type TransientState } from './power.ts';

/** A snapshot without its contents. */
export interface Snapshot {
  readonly name: string;
  readonly size_gb: number;
  readonly createdMs: number;
  /** When the snapshot is complete. Until then, it is still being created. */
  readonly readyMs: number;
}

export interface Vps {
  readonly vps_name: string;
  /** Position in the fleet, counted from 0. */
  readonly ordinal: number;
  hostname: string;
  readonly plan: string;
  readonly region: string;
  readonly cores: number;
  readonly memory_mb: number;
  readonly disk_gb: number;
  readonly loadProfile: LoadProfile;
  readonly power: PowerHistory;
  readonly snapshots: Collection<Snapshot>;
  readonly backupFtp: BackupFtpSpace;
  readonly sshProxyPort: number;
  sshPort: number;
  os: string;
  /** Metrics that replace the usual load from `fromMs` on. */
  loadOverride?: { readonly fromMs: number; readonly load: Partial<Load> };
}

/** Returns the stable state of a VPS. Throws a 409 error while its state is changing. */
export function readStableState(machine: Vps, nowMs: number): StableState {
  const state = stateAt(machine.power, nowMs);
  if (state === 'running' || state === 'stopped') return state;
  throw conflict(`${machine.vps_name} is ${state}. Try again afterwards.`);
}

/** Throws a 409 error unless a VPS is in the `expected` state and its state isn't changing. */
export function assertState(machine: Vps, nowMs: number, expected: StableState): void {
  const state = readStableState(machine, nowMs);
  if (state !== expected) throw conflict(`${machine.vps_name} is ${state}.`);
}

/** A transient state, how long it lasts, and the state that follows. */
export interface StateTransition {
  readonly via: TransientState;
  readonly durationMs: number;
  readonly to: StableState;
}

/** Changes a VPS's state through a transient state. Replaces an unfinished transition. */
export function startTransition(machine: Vps, nowMs: number, { via, durationMs, to }: StateTransition): void {
  while ((machine.power.at(-1)?.fromMs ?? 0) > nowMs) machine.power.pop();
  machine.power.push({ fromMs: nowMs, state: via }, { fromMs: nowMs + durationMs, state: to });
}
