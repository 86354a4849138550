import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../../db/engines/database.ts';
import { createRowReader } from '../../db/row-reader.ts';
import type { AccessRequestTable } from '../../db/schema/schema.ts';
import { wasUpdated } from '../../db/was-updated.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import { rights } from '../../operations/define/access/right.ts';
import type { MessageRef } from '../../runs/run.ts';
import type { AccessRequest } from './access-request.ts';

export type AccessRequestStore = ReturnType<typeof createAccessRequestStore>;

const accessRequestSchema = z.object({
  id: z.string(),
  right: z.enum(rights),
  patterns: z.array(z.string()),
  cards: z.array(z.object({ channel: z.string(), ts: z.string() })),
  decision: z.enum(['granted', 'declined']).nullable(),
});

export function createAccessRequestStore(db: Database, rowReader = createRowReader()) {
  const { read, readAll } = rowReader.forTable({
    table: 'access_request',
    noun: 'request',
    toValue: toAccessRequest,
    toId: ({ id }) => id,
  });
  const updateOpen = (id: string) =>
    db.updateTable('access_request').where('id', '=', id).where('decision', 'is', null);

  return {
    async add(
      actor: Actor,
      { right, patterns, followUpStep }: Pick<AccessRequest, 'right' | 'patterns' | 'followUpStep'>,
      nowMs: number,
    ): Promise<AccessRequest> {
      const id = randomUUID();
      await db
        .insertInto('access_request')
        .values({
          id,
          team_id: actor.teamId,
          user_id: actor.userId,
          requested_right: right,
          patterns: JSON.stringify(patterns),
          requested_step: followUpStep && JSON.stringify(followUpStep),
          cards: '[]',
          requested_at: nowMs,
        })
        .execute();
      return { id, actor, right, patterns, followUpStep, cards: [], requestedMs: nowMs, decision: null };
    },

    /** Lists the actor's undecided requests, oldest first. */
    async listOpen({ teamId, userId }: Actor, sinceMs: number): Promise<readonly AccessRequest[]> {
      const rows = await db
        .selectFrom('access_request')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('user_id', '=', userId)
        .where('requested_at', '>', sinceMs)
        .where('decision', 'is', null)
        .orderBy('requested_at')
        .orderBy('id')
        .execute();
      return readAll(rows);
    },

    /** Lists the requests that share a card with one, including it and decided ones, oldest first. */
    async listOnCards({ actor, cards }: AccessRequest): Promise<readonly AccessRequest[]> {
      const rows = await db
        .selectFrom('access_request')
        .selectAll()
        .where('team_id', '=', actor.teamId)
        .where('user_id', '=', actor.userId)
        .orderBy('requested_at')
        .orderBy('id')
        .execute();
      const requests = await readAll(rows);
      const isShared = (card: MessageRef) =>
        cards.some(({ channel, ts }) => channel === card.channel && ts === card.ts);
      return requests.filter((request) => request.cards.some(isShared));
    },

    /** Counts the actor's requests, including decided ones. */
    async countSince({ teamId, userId }: Actor, sinceMs: number): Promise<number> {
      const { count } = await db
        .selectFrom('access_request')
        .select((row) => row.fn.countAll<number | string>().as('count'))
        .where('team_id', '=', teamId)
        .where('user_id', '=', userId)
        .where('requested_at', '>', sinceMs)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async find(teamId: string, id: string): Promise<AccessRequest | undefined> {
      const row = await db
        .selectFrom('access_request')
        .selectAll()
        .where('id', '=', id)
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      return row && read(row);
    },

    async saveCards(id: string, cards: readonly MessageRef[]): Promise<void> {
      await db
        .updateTable('access_request')
        .set({ cards: JSON.stringify(cards) })
        .where('id', '=', id)
        .execute();
    },

    async remove(id: string): Promise<void> {
      await db.deleteFrom('access_request').where('id', '=', id).execute();
    },

    /** Claims an undecided request for one decision. Returns false if it was claimed after `sinceMs`. */
    async claim(id: string, { nowMs, sinceMs }: { nowMs: number; sinceMs: number }): Promise<boolean> {
      return wasUpdated(
        updateOpen(id)
          .set({ decided_at: nowMs })
          .where((row) => row.or([row('decided_at', 'is', null), row('decided_at', '<=', sinceMs)])),
      );
    },

    /**
     * Stores the decision made under the claim taken at `claimedMs`. Returns false if another claim
     * has replaced it since.
     */
    async saveDecision(
      id: string,
      { kind, by }: NonNullable<AccessRequest['decision']>,
      { claimedMs, nowMs }: { claimedMs: number; nowMs: number },
    ): Promise<boolean> {
      return wasUpdated(
        updateOpen(id)
          .set({ decision: kind, decided_by: by, decided_at: nowMs })
          .where('decided_at', '=', claimedMs),
      );
    },

    /** Releases the claim made at `claimedMs`, because its decision could not be carried out. */
    async release(id: string, claimedMs: number): Promise<void> {
      await updateOpen(id).set({ decided_at: null }).where('decided_at', '=', claimedMs).execute();
    },
  };
}

function toAccessRequest(row: AccessRequestTable): AccessRequest {
  const { id, right, patterns, cards, decision } = accessRequestSchema.parse({
    id: row.id,
    right: row.requested_right,
    patterns: JSON.parse(row.patterns),
    cards: JSON.parse(row.cards),
    decision: row.decision,
  });
  return {
    id,
    actor: { teamId: row.team_id, userId: row.user_id },
    right,
    patterns,
    followUpStep: row.requested_step === null ? null : JSON.parse(row.requested_step),
    cards,
    requestedMs: row.requested_at,
    decision: decision === null ? null : { kind: decision, by: row.decided_by ?? '' },
  };
}
