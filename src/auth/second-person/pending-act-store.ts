import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../../db/engines/database.ts';
import { createRowReader } from '../../db/row-reader.ts';
import type { PendingActTable } from '../../db/schema/security-tables.ts';
import { wasUpdated } from '../../db/was-updated.ts';
import { rights } from '../../operations/define/access/right.ts';
import type { MessageRef } from '../../runs/run.ts';
import type { ActDecision, PendingAct } from './pending-act.ts';

export type PendingActStore = ReturnType<typeof createPendingActStore>;

const rowSchema = z.object({
  kind: z.enum(['drop_rule', 'revoke_admin', 'reveal', 'schedule']),
  right: z.enum(rights),
  vps: z.array(z.string()),
  cards: z.array(z.object({ channel: z.string(), ts: z.string() })),
  decision: z.enum(['approved', 'declined']).nullable(),
});

export function createPendingActStore(db: Database, rowReader = createRowReader()) {
  const { read } = rowReader.forTable({
    table: 'pending_act',
    noun: 'request',
    toValue: toPendingAct,
    toId: ({ id }) => id,
  });

  return {
    async add(act: Omit<PendingAct, 'id' | 'cards' | 'decision'>): Promise<PendingAct> {
      const id = randomUUID();
      const { actor, kind, subject, title, right, vps, expiresMs } = act;
      await db
        .insertInto('pending_act')
        .values({
          id,
          team_id: actor.teamId,
          user_id: actor.userId,
          kind,
          subject,
          title,
          required_right: right,
          vps: JSON.stringify(vps),
          cards: '[]',
          expires_at: expiresMs,
        })
        .execute();
      return { ...act, id, cards: [], decision: null };
    },

    async find(teamId: string, id: string): Promise<PendingAct | undefined> {
      const row = await db
        .selectFrom('pending_act')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && read(row);
    },

    /** Finds the newest act of this person on a subject that hasn't expired. */
    async findCurrent(
      { actor, kind, subject }: Pick<PendingAct, 'actor' | 'kind' | 'subject'>,
      nowMs: number,
    ): Promise<PendingAct | undefined> {
      const row = await db
        .selectFrom('pending_act')
        .selectAll()
        .where('team_id', '=', actor.teamId)
        .where('user_id', '=', actor.userId)
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .where('expires_at', '>', nowMs)
        .orderBy('expires_at', 'desc')
        .executeTakeFirst();
      return row && read(row);
    },

    async saveCards(id: string, cards: readonly MessageRef[]): Promise<void> {
      await db
        .updateTable('pending_act')
        .set({ cards: JSON.stringify(cards) })
        .where('id', '=', id)
        .execute();
    },

    /** Stores a decision. Returns false if there is one already, or the act has expired. */
    async decide(id: string, decision: ActDecision, by: string, nowMs: number): Promise<boolean> {
      return wasUpdated(
        db
          .updateTable('pending_act')
          .set({ decision, decided_by: by })
          .where('id', '=', id)
          .where('decision', 'is', null)
          .where('expires_at', '>', nowMs),
      );
    },

    async remove(id: string): Promise<void> {
      await db.deleteFrom('pending_act').where('id', '=', id).execute();
    },

    async deleteExpired(nowMs: number): Promise<void> {
      await db.deleteFrom('pending_act').where('expires_at', '<=', nowMs).execute();
    },
  };
}

function toPendingAct(row: PendingActTable): PendingAct {
  const { kind, right, vps, cards, decision } = rowSchema.parse({
    kind: row.kind,
    right: row.required_right,
    vps: JSON.parse(row.vps),
    cards: JSON.parse(row.cards),
    decision: row.decision,
  });
  return {
    id: row.id,
    actor: { teamId: row.team_id, userId: row.user_id },
    kind,
    subject: row.subject,
    title: row.title,
    right,
    vps,
    cards,
    expiresMs: row.expires_at,
    decision: decision && { kind: decision, by: row.decided_by ?? '' },
  };
}
