import { z } from 'zod';
import type { Database } from '../../db/engines/database.ts';
import { parseJson } from '../../db/parse-json.ts';

/** A change by Rackhand that interrupts a VPS. */
export interface RecentAct {
  readonly vps: string;
  readonly sentMs: number;
}

export type ListRecentActs = (teamId: string, sinceMs: number) => Promise<readonly RecentAct[]>;

/** How long watches and reports are silent about a VPS after Rackhand has interrupted it. */
export const graceMs = 5 * 60_000;

/** The operations that interrupt the VPS in their input. A test compares them with the catalogue. */
export const interruptingOperations: readonly string[] = [
  'reboot',
  'action',
  'reinstall',
  'password reset',
  'snapshot restore',
];

/** The longest time between a request and its call: an approval can take a day. */
const maxDelayMs = 2 * 24 * 60 * 60_000;

const input = z.object({ vps: z.string() });

/** Creates the function that lists the calls that have interrupted a VPS. */
export function createRecentActs(db: Database): ListRecentActs {
  return async (teamId, sinceMs) => {
    const rows = await db
      .selectFrom('run')
      .select(['input', 'sent_at'])
      .where('team_id', '=', teamId)
      .where('requested_at', '>=', sinceMs - maxDelayMs)
      .where('sent_at', '>=', sinceMs)
      .where('status', 'in', ['sent', 'done', 'unknown'])
      .where('operation', 'in', interruptingOperations)
      .execute();
    return rows.flatMap((row) => {
      const data = parseJson(input, row.input);
      return data && row.sent_at !== null ? [{ vps: data.vps, sentMs: row.sent_at }] : [];
    });
  };
}
