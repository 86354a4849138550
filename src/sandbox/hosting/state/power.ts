/** Says what a VPS is doing. Only `running` and `stopped` last; from the others it moves on by itself. */
export type VpsState =
  | 'running'
  | 'stopped'
  | 'starting'
  | 'stopping'
  | 'rebooting'
  | 'reinstalling'
  | 'restoring';

/** Names a state that stays until somebody acts. */
export type LastingState = Extract<VpsState, 'running' | 'stopped'>;

/** Names a state that ends by itself. */
export type PassingState = Exclude<VpsState, LastingState>;

/**
 * When a VPS entered which state, oldest first. Phases may lie in the future: a reboot is written down whole when it
 * begins, and reading the state at a moment needs no timer.
 */
export type PowerHistory = { readonly fromMs: number; readonly state: VpsState }[];

function phaseAt(history: PowerHistory, atMs: number): PowerHistory[number] | undefined {
  return history.findLast(({ fromMs }) => fromMs <= atMs);
}

/** Tells what a VPS was, is or will be doing at a moment. */
export function stateAt(history: PowerHistory, atMs: number): VpsState {
  return phaseAt(history, atMs)?.state ?? 'stopped';
}

/** Tells for how many whole seconds a VPS has been running; 0 when it is not. */
export function uptimeSeconds(history: PowerHistory, atMs: number): number {
  const phase = phaseAt(history, atMs);
  return phase?.state === 'running' ? Math.floor((atMs - phase.fromMs) / 1000) : 0;
}

/** Tells during which share of a period, 0 to 1, a VPS was running. */
export function runningShare(history: PowerHistory, fromMs: number, untilMs: number): number {
  let runningMs = 0;
  for (const [index, phase] of history.entries()) {
    if (phase.state !== 'running') continue;
    const endMs = history[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
    runningMs += Math.max(0, Math.min(endMs, untilMs) - Math.max(phase.fromMs, fromMs));
  }
  return runningMs / (untilMs - fromMs);
}
