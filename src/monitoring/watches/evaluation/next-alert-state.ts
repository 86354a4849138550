import { isVpsSelected } from '../../shared/vps-selection.ts';
import type { AlertState, Watch } from '../watch.ts';
import { advanceAlert, type VpsTransition } from './alert.ts';
import { type Evaluation, evaluateCondition, type Observation } from './evaluate-condition.ts';
import type { FleetObservation, ObservedFleet } from './observe-fleet.ts';
import { nextVpsAlertState, okAlertState, shouldStore, type VpsAlertState } from './vps-alert-state.ts';

/** The key for storing that the VPS can't be listed. No VPS has this name. */
export const fleetListKey = '*';

/**
 * How many readings can be missed in a row before the condition's duration starts over, because nobody knows what
 * happened in between.
 */
const maxMissedReadings = 3;

export interface CycleObservations {
  readonly fleet: FleetObservation;
  /** The VPS whose turn it was in this cycle. */
  readonly observed: ReadonlyMap<string, Observation>;
  readonly nowMs: number;
  readonly intervalMs: number;
  /** The interval at which the VPS list, which contains the states, is read. */
  readonly stateMs: number;
  /** Returns when the maintenance that mutes a VPS ends, or undefined if the VPS isn't muted. */
  readonly mutedUntilMs?: (vps: string) => number | undefined;
}

/** Advances a watch's alert state by one cycle. */
export function nextAlertState(watch: Watch, observations: CycleObservations): AlertState {
  const { condition, alertState } = watch;
  const { nowMs, intervalMs, stateMs, mutedUntilMs = () => undefined } = observations;
  const known = new Map(Object.entries(alertState.vpsStates));
  const evaluations = evaluateAll(watch, observations, known);
  const rules = {
    forMs: condition.forMs,
    isLowWorse: condition.is === 'under',
    gapMs: maxMissedReadings * (condition.measure === 'state' ? stateMs : intervalMs),
  };
  const transitions = [...evaluations].map(([vps, evaluation]): VpsTransition => {
    const before = known.get(vps) ?? okAlertState;
    const after = nextVpsAlertState(before, evaluation, {
      ...rules,
      isMuted: mutedUntilMs(vps) !== undefined,
    });
    return { vps, before, after, ...toExit(evaluation) };
  });
  for (const { vps, after } of transitions) known.set(vps, after);
  const isChecked = alertState.isChecked || [...evaluations.keys()].some((vps) => vps !== fleetListKey);
  return {
    ...alertState,
    ...(isChecked && { isChecked }),
    vpsStates: Object.fromEntries(storedVpsStates(known)),
    alert: advanceAlert(alertState.alert ?? undefined, transitions, nowMs, mutedUntilMs) ?? null,
  };
}

function toExit({ result }: Evaluation): Pick<VpsTransition, 'exit'> {
  return result === 'gone' || result === 'unselected' ? { exit: result } : {};
}

/** Evaluates each VPS observed in this cycle. `known` contains the VPS with a stored state. */
function evaluateAll(
  { vps: pattern, condition }: Watch,
  { fleet: observation, observed, nowMs }: CycleObservations,
  known: ReadonlyMap<string, VpsAlertState>,
): ReadonlyMap<string, Evaluation> {
  const evaluations = new Map<string, Evaluation>();
  if (observation.kind === 'unread') {
    const { reason: unreadReason } = observation;
    return evaluations.set(fleetListKey, { atMs: nowMs, result: 'unread', unreadReason });
  }
  const { fleet } = observation;
  evaluations.set(fleetListKey, { atMs: nowMs, result: 'recovered' });
  const stateAtMs = Math.min(nowMs, fleet.readAtMs ?? nowMs);
  for (const [name, state] of fleet.states) {
    if (!isSelected(name, pattern, fleet)) continue;
    const isListed = condition.measure === 'state' && state !== undefined;
    const one = isListed ? { atMs: stateAtMs } : observed.get(name);
    // A VPS already evaluated with this cached list has no new reading.
    const isNew = !isListed || known.get(name)?.readMs !== stateAtMs;
    if (one && isNew) evaluations.set(name, evaluateCondition(condition, { ...one, state }));
  }
  for (const name of known.keys()) {
    if (name === fleetListKey || isSelected(name, pattern, fleet)) continue;
    evaluations.set(name, { atMs: nowMs, ...evaluateAbsent(name, fleet) });
  }
  return evaluations;
}

function isSelected(name: string, pattern: string, { states, aliases }: ObservedFleet): boolean {
  return states.has(name) && isVpsSelected(pattern, { name, aliases: aliases?.get(name) });
}

/** Evaluates a VPS that has a stored state but is no longer listed or selected. */
function evaluateAbsent(name: string, { states, mayHaveMore }: ObservedFleet): Omit<Evaluation, 'atMs'> {
  if (states.has(name)) return { result: 'unselected' };
  return mayHaveMore ? { result: 'unread', unreadReason: 'notListed' } : { result: 'gone' };
}

function storedVpsStates(
  vpsStates: ReadonlyMap<string, VpsAlertState>,
): readonly (readonly [string, VpsAlertState])[] {
  return [...vpsStates].filter(([, vpsState]) => shouldStore(vpsState)).sort(([a], [b]) => (a < b ? -1 : 1));
}
