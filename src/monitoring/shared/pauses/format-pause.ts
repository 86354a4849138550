import type { Fact } from '../../../operations/define/outcome.ts';
import type { PauseReason } from '../../../plans/pause-reason.ts';
import type { Monitor, MonitorKind } from '../monitor/monitor.ts';

/** Returns a sentence that says why a report or watch is paused. */
export function formatPauseReason(reason: PauseReason, kind: MonitorKind): string {
  switch (reason) {
    case 'person':
      return 'Someone paused it.';
    case 'channel':
      return `Its channel was archived or deleted, or I was removed from it. Run /invite @Rackhand there and resume the ${kind}, or edit it to use another channel.`;
    case 'key':
      return `The API key is missing, or the hosting service rejected it. Connect a key, then resume the ${kind}.`;
    case 'schedule':
      return `Its schedule can't be read any more. Edit it, then resume the ${kind}.`;
    case 'creator':
      return `Its creator has left the workspace, or can't view all of its VPS anymore. Whoever resumes the ${kind} becomes its creator.`;
  }
}

/**
 * Returns facts that say who paused a monitor, or why Rackhand did. Returns none if the monitor is
 * active.
 */
export function pauseFacts({ state }: Pick<Monitor, 'state'>, kind: MonitorKind): readonly Fact[] {
  if (state.kind !== 'paused') return [];
  return [
    state.byUserId === null
      ? { label: 'Reason', value: formatPauseReason(state.reason, kind) }
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
