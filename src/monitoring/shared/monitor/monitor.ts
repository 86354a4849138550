import type { PauseReason } from '../../../plans/pause-reason.ts';

/** The fields that reports, watches and maintenance windows have in common. */
export interface Plan {
  readonly id: string;
  readonly teamId: string;
  /** Unique in the workspace. */
  readonly name: string;
  readonly createdBy: string;
  readonly state: MonitorState;
}

export interface Monitor extends Plan {
  readonly channel: string;
}

export type MonitorState = { readonly kind: 'active' | 'approval' | 'ended' | 'deleted' } | PausedState;

export interface PausedState {
  readonly kind: 'paused';
  readonly reason: PauseReason;
  /** `null` if Rackhand paused the monitor. In this case, its creator is notified. */
  readonly byUserId: string | null;
}

export type MonitorKind = 'report' | 'watch';
