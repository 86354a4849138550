/** A VPS's power state. Only `running` and `stopped` last. The others end on their own. */
export type VpsState =
  | 'running'
  | 'stopped'
  | 'starting'
  | 'stopping'
  | 'rebooting'
  | 'reinstalling'
  | 'restoring';

/** A state that lasts until an action changes it. */
export type StableState = Extract<VpsState, 'running' | 'stopped'>;

/** A state that ends on its own. */
export type TransientState = Exclude<VpsState, StableState>;

/**
 * When a VPS entered or will enter each state, oldest first. A reboot is recorded completely when it starts,
 * so no timer is needed.
 */
export type PowerHistory = { readonly fromMs: number; readonly state: VpsState }[];

function phaseAt(history: PowerHistory, atMs: number): PowerHistory[number] | undefined {
  return history.findLast(({ fromMs }) => fromMs <= atMs);
}

/** Returns the state of a VPS at a given time, which can be past or future. */
export function stateAt(history: PowerHistory, atMs: number): VpsState {
  return phaseAt(history, atMs)?.state ?? 'stopped';
}

/** Returns how many whole seconds a VPS has been running, or 0 if it isn't running. */
export function uptimeSeconds(history: PowerHistory, atMs: number): number {
  const phase = phaseAt(history, atMs);
  return phase?.state === 'running' ? Math.floor((atMs - phase.fromMs) / 1000) : 0;
}

/** Returns the share of a period, from 0 to 1, that a VPS was running. */
export function runningShare(history: PowerHistory, fromMs: number, untilMs: number): number {
  let runningMs = 0;
  for (const [index, phase] of history.entries()) {
    if (phase.state !== 'running') continue;
    const endMs = history[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
    runningMs += Math.max(0, Math.min(endMs, untilMs) - Math.max(phase.fromMs, fromMs));
  }
  return runningMs / (untilMs - fromMs);
}
