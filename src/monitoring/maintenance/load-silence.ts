import { z } from 'zod';
import type { Database } from '../../db/engines/database.ts';
import { parseJson } from '../../db/parse-json.ts';
import type { ListRecentActs, LoadSilence } from '../shared/silence.ts';
import { isVpsSelected } from '../shared/vps-selection.ts';
import { findCurrent, type MaintenanceStore } from './maintenance-store.ts';

interface SilenceDependencies {
  readonly store: Pick<MaintenanceStore, 'list'>;
  readonly listRecentActs: ListRecentActs;
}

/**
 * Creates the function that loads a workspace's silence. It covers VPS in maintenance, and VPS that
 * Rackhand interrupted less than `graceMs` ago.
 */
export function createSilenceLoader({ store, listRecentActs }: SilenceDependencies): LoadSilence {
  return async (teamId, nowMs) => {
    const current = (await store.list(teamId)).flatMap((window) => {
      const occurrence = findCurrent(window, nowMs);
      return occurrence ? [{ vps: window.vps, untilMs: occurrence.untilMs }] : [];
    });
    const acts = await listRecentActs(teamId, nowMs - graceMs);
    return {
      untilMs(vps) {
        const ends = [
          ...current.filter((window) => isVpsSelected(window.vps, vps)).map(({ untilMs }) => untilMs),
          ...acts.filter((act) => act.vps === vps.name).map(({ sentMs }) => sentMs + graceMs),
        ];
        return ends.length === 0 ? undefined : Math.max(...ends);
      },
    };
  };
}

/** How long watches and reports stay silent about a VPS after Rackhand interrupts it. */
export const graceMs = 5 * 60_000;

/** The operations that interrupt the VPS they act on. A test checks this list against the catalogue. */
export const interruptingOperations: readonly string[] = [
  'reboot',
  'action',
  'reinstall',
  'password reset',
  'snapshot restore',
];

/** Maximum time between the request for a run and its API call. An approval in between can take a day. */
const maxDelayMs = 2 * 24 * 60 * 60_000;

const input = z.object({ vps: z.string() });

export function createRecentActs(db: Database): ListRecentActs {
  return async (teamId, sinceMs) => {
    const rows = await db
      .selectFrom('run')
      .select(['id', 'batch_id', 'operation', 'title', 'input', 'sent_at', 'status'])
      .where('team_id', '=', teamId)
      .where('requested_at', '>=', sinceMs - maxDelayMs)
      .where('sent_at', '>=', sinceMs)
      .where('status', 'in', ['sent', 'done', 'unknown'])
      .where('operation', 'in', interruptingOperations)
      .orderBy('sent_at')
      .execute();
    return rows.flatMap((row) => {
      const data = parseJson(input, row.input);
      if (!data || row.sent_at === null) return [];
      const name = row.title ?? `${row.operation} ${data.vps}`;
      const title = row.status === 'unknown' ? `${name} (outcome unknown)` : name;
      return [{ vps: data.vps, sentMs: row.sent_at, runId: row.batch_id ?? row.id, title }];
    });
  };
}
