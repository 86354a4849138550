import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { WatchTable } from '../../db/schema/monitoring-tables.ts';
import { toPauseReason } from '../../plans/pause-reason.ts';
import type { Monitor, MonitorState } from '../shared/monitor/monitor.ts';
import { type Condition, condition } from './condition/condition.ts';
import { type Incident, incident } from './evaluation/incident.ts';
import { type VpsAlertState, vpsAlertState } from './evaluation/vps-alert-state.ts';

/** The part of a watch that a person decides. */
export interface WatchPlan {
  /** Unique in the workspace. */
  readonly name: string;
  readonly channel: string;
  /** Space-separated VPS names and patterns; `*` matches any characters. */
  readonly vps: string;
  readonly condition: Condition;
  /** The ID of the person or user group that is pinged when an alert begins. */
  readonly notify?: string | undefined;
  readonly escalation?: Escalation | undefined;
}

/** The person or group to ping if no one acknowledges an alert in time. */
export interface Escalation {
  readonly afterMs: number;
  /** The ID of a person or user group. */
  readonly to: string;
}

/** The current findings of a watch: the states of its VPS, and its open incident. */
export interface AlertState {
  readonly vpsStates: Readonly<Record<string, VpsAlertState>>;
  readonly incident: Incident | null;
}

/** A condition on VPS that Rackhand checks regularly. */
export interface Watch extends WatchPlan, Monitor {
  readonly revision: number;
  readonly alertState: AlertState;
}

/** The alert state of a new, resumed or edited watch. */
export const initialAlertState: AlertState = {
  vpsStates: {},
  incident: null,
};

const vpsStatesSchema = z.record(z.string(), vpsAlertState);

export function toWatch(row: Selectable<WatchTable>): Watch {
  return {
    id: row.id,
    teamId: row.team_id,
    name: row.name,
    channel: row.channel,
    vps: row.vps,
    condition: condition.parse(JSON.parse(row.condition)),
    ...(row.notify !== null && { notify: row.notify }),
    ...escalationOf(row),
    createdBy: row.created_by,
    state: stateOf(row),
    revision: row.revision,
    alertState: {
      vpsStates: vpsStatesSchema.parse(JSON.parse(row.vps_states)),
      incident: row.incident === null ? null : incident.parse(JSON.parse(row.incident)),
    },
  };
}

function escalationOf({ escalate_to: to, escalate_after: afterMs }: Selectable<WatchTable>) {
  return to === null || afterMs === null ? {} : { escalation: { to, afterMs } };
}

function stateOf({ state, paused_reason, paused_by }: Selectable<WatchTable>): MonitorState {
  if (state !== 'paused') return { kind: state };
  return { kind: 'paused', reason: toPauseReason(paused_reason), byUserId: paused_by };
}
