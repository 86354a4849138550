import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { NextStep } from '../../operations/outcome.ts';
import { type Right, rights } from '../../operations/right.ts';
import type { Asker } from '../../operations/runs/run.ts';
import type { Database } from '../../storage/database.ts';
import type { AccessRequestTable } from '../../storage/schema.ts';

export type RequestAnswer = 'granted' | 'declined';

/** A right that somebody asked for. */
export interface AccessRequest {
  readonly id: string;
  readonly asker: Asker;
  readonly right: Right;
  readonly patterns: readonly string[];
  /** What its asker was refused for want of it, as the step that they can take once they have it. */
  readonly wanted: NextStep | null;
  /** Messages in which those who can grant it are asked. */
  readonly cards: readonly CardPlace[];
  readonly askedMs: number;
  readonly answer: { readonly kind: RequestAnswer; readonly by: string } | null;
}

export interface CardPlace {
  readonly channel: string;
  readonly ts: string;
}

export type RequestStore = ReturnType<typeof createRequestStore>;

const row = z.object({
  id: z.string(),
  right: z.enum(rights),
  patterns: z.array(z.string()),
  cards: z.array(z.object({ channel: z.string(), ts: z.string() })),
  answer: z.enum(['granted', 'declined']).nullable(),
});

/** Creates the store of what people asked for. */
export function createRequestStore(db: Database) {
  const open = (id: string) =>
    db.updateTable('access_request').where('id', '=', id).where('answer', 'is', null);

  return {
    async add(
      asker: Asker,
      { right, patterns, wanted }: Pick<AccessRequest, 'right' | 'patterns' | 'wanted'>,
      nowMs: number,
    ): Promise<AccessRequest> {
      const id = randomUUID();
      await db
        .insertInto('access_request')
        .values({
          id,
          team_id: asker.teamId,
          user_id: asker.userId,
          needed: right,
          patterns: JSON.stringify(patterns),
          wanted: wanted && JSON.stringify(wanted),
          cards: '[]',
          asked_at: nowMs,
        })
        .execute();
      return { id, asker, right, patterns, wanted, cards: [], askedMs: nowMs, answer: null };
    },

    /** Finds the unanswered request of a person for just this. */
    async findOpen(
      { teamId, userId }: Asker,
      { right, patterns }: Pick<AccessRequest, 'right' | 'patterns'>,
      sinceMs: number,
    ): Promise<AccessRequest | undefined> {
      const found = await db
        .selectFrom('access_request')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('user_id', '=', userId)
        .where('needed', '=', right)
        .where('patterns', '=', JSON.stringify(patterns))
        .where('asked_at', '>', sinceMs)
        .where('answer', 'is', null)
        .executeTakeFirst();
      return found && toRequest(found);
    },

    async find(teamId: string, id: string): Promise<AccessRequest | undefined> {
      const found = await db
        .selectFrom('access_request')
        .selectAll()
        .where('id', '=', id)
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      return found && toRequest(found);
    },

    async keepCards(id: string, cards: readonly CardPlace[]): Promise<void> {
      await db
        .updateTable('access_request')
        .set({ cards: JSON.stringify(cards) })
        .where('id', '=', id)
        .execute();
    },

    async remove(id: string): Promise<void> {
      await db.deleteFrom('access_request').where('id', '=', id).execute();
    },

    /** Takes a request up, for one answer alone: `false` where it is answered, or was taken up after `sinceMs`. */
    async takeUp(id: string, { nowMs, sinceMs }: { nowMs: number; sinceMs: number }): Promise<boolean> {
      const { numUpdatedRows } = await open(id)
        .set({ answered_at: nowMs })
        .where((row) => row.or([row('answered_at', 'is', null), row('answered_at', '<=', sinceMs)]))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /** Keeps the answer of whoever took a request up at `takenMs`; `false` where somebody else has taken it up since. */
    async settle(
      id: string,
      { kind, by }: NonNullable<AccessRequest['answer']>,
      { takenMs, nowMs }: { takenMs: number; nowMs: number },
    ): Promise<boolean> {
      const { numUpdatedRows } = await open(id)
        .set({ answer: kind, answered_by: by, answered_at: nowMs })
        .where('answered_at', '=', takenMs)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /** Lets go of what was taken up at `takenMs`: the answer could not be carried out. */
    async letGo(id: string, takenMs: number): Promise<void> {
      await open(id).set({ answered_at: null }).where('answered_at', '=', takenMs).execute();
    },
  };
}

function toRequest(found: AccessRequestTable): AccessRequest {
  const { id, right, patterns, cards, answer } = row.parse({
    id: found.id,
    right: found.needed,
    patterns: JSON.parse(found.patterns),
    cards: JSON.parse(found.cards),
    answer: found.answer,
  });
  return {
    id,
    asker: { teamId: found.team_id, userId: found.user_id },
    right,
    patterns,
    wanted: found.wanted === null ? null : JSON.parse(found.wanted),
    cards,
    askedMs: found.asked_at,
    answer: answer === null ? null : { kind: answer, by: found.answered_by ?? '' },
  };
}
