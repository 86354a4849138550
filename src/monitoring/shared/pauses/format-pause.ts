import type { Fact } from '../../../operations/define/outcome.ts';
import { formatPauseReason } from '../../../plans/pause-reason.ts';
import type { Monitor, MonitorKind } from '../monitor/monitor.ts';

/**
 * Returns facts that say who paused a monitor, or why Rackhand did. Returns none if the monitor is
 * active.
 */
export function pauseFacts({ state }: Pick<Monitor, 'state'>, noun: string): readonly Fact[] {
  if (state.kind !== 'paused') return [];
  return [
    state.byUserId === null
      ? { label: 'Reason', value: formatPauseReason(state.reason, noun) }
      : { label: 'Paused by', value: { kind: 'person', person: state.byUserId } },
  ];
}

/**
 * Returns notes that say why Rackhand paused a monitor. Returns none if the monitor is active or a
 * person paused it.
 */
export function pauseNotes({ state }: Pick<Monitor, 'state'>, kind: MonitorKind): readonly string[] {
  return state.kind === 'paused' && state.byUserId === null ? [formatPauseReason(state.reason, kind)] : [];
}
