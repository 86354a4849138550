import type { Selectable } from 'kysely';
import { z } from 'zod';
import { type PauseReason, pauseReasons } from '../reports/schedule/report.ts';
import type { WatchTable } from '../storage/report-tables.ts';
import { type Condition, condition } from './condition.ts';
import { type Course, course } from './course.ts';
import { type Incident, incident } from './incident.ts';

/** What a person decides about a watch. */
export interface WatchPlan {
  /** Unique in its workspace. */
  readonly name: string;
  readonly channel: string;
  /** Names, and patterns in which `*` stands for any characters, with a space between. */
  readonly vps: string;
  readonly condition: Condition;
}

export type WatchState =
  | { readonly kind: 'active' }
  | { readonly kind: 'paused'; readonly reason: PauseReason; readonly byUserId: string | null }
  | { readonly kind: 'deleted' };

/** How far a watch has come: what its VPS do, and the message in which it tells of them. */
export interface Standing {
  readonly courses: Readonly<Record<string, Course>>;
  readonly incident: Incident | null;
  readonly messageTs: string | null;
  /** When that message was about to leave; with a `messageTs` it has. */
  readonly postingMs: number | null;
}

/** A threshold on VPS that is looked at by itself. */
export interface Watch extends WatchPlan {
  readonly id: string;
  readonly teamId: string;
  readonly madeBy: string;
  readonly state: WatchState;
  readonly revision: number;
  readonly standing: Standing;
}

/** What a watch starts with, and starts anew with once it is changed. */
export const atRest: Standing = { courses: {}, incident: null, messageTs: null, postingMs: null };

const courses = z.record(z.string(), course);

/** Reads a watch from its row. */
export function toWatch(row: Selectable<WatchTable>): Watch {
  return {
    id: row.id,
    teamId: row.team_id,
    name: row.name,
    channel: row.channel,
    vps: row.vps,
    condition: condition.parse(JSON.parse(row.condition)),
    madeBy: row.made_by,
    state: stateOf(row),
    revision: row.revision,
    standing: {
      courses: courses.parse(JSON.parse(row.courses)),
      incident: row.incident === null ? null : incident.parse(JSON.parse(row.incident)),
      messageTs: row.message_ts,
      postingMs: row.posting_at,
    },
  };
}

function stateOf({ state, paused_reason, paused_by }: Selectable<WatchTable>): WatchState {
  if (state !== 'paused') return { kind: state };
  const reason = pauseReasons.find((one) => one === paused_reason) ?? 'person';
  return { kind: 'paused', reason, byUserId: paused_by };
}
