import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../db/engines/database.ts';
import { createRowReader } from '../db/row-reader.ts';
import type { AskTable } from '../db/schema/security-tables.ts';
import { wasUpdated } from '../db/was-updated.ts';
import type { Actor } from '../operations/define/access/actor.ts';
import { rights } from '../operations/define/access/right.ts';
import { type Ask, type AskDecision, type AskKind, askKinds, type NewAsk } from './ask.ts';

type AskedSubject = Pick<NewAsk, 'actor' | 'kind' | 'subject'>;

export type AskStore = ReturnType<typeof createAskStore>;

const rowSchema = z.object({
  kind: z.enum(askKinds),
  required: z.object({
    right: z.enum(rights),
    vps: z.array(z.string()),
    isAnyVpsEnough: z.boolean().default(false),
  }),
  verdict: z.enum(['approved', 'declined']).nullable(),
});

/** Maximum requests read at once among those decided but not yet carried out. */
const maxUnfinished = 50;

/** Maximum open requests listed for a workspace. */
const maxListed = 50;

export function createAskStore(db: Database, rowReader = createRowReader()) {
  const { read, readAll } = rowReader.forTable({
    table: 'ask',
    noun: 'request',
    toValue: toAsk,
    toId: ({ id }) => id,
  });
  const ofActor = ({ teamId, userId }: Actor, kind: AskKind) =>
    db.selectFrom('ask').where('team_id', '=', teamId).where('user_id', '=', userId).where('kind', '=', kind);
  const newestAbout = ({ actor, kind, subject }: AskedSubject, nowMs: number) =>
    ofActor(actor, kind)
      .selectAll()
      .where('subject', '=', subject)
      .where('expires_at', '>', nowMs)
      .orderBy('asked_at', 'desc');

  return {
    async add(
      request: NewAsk,
      nowMs: number,
      executor: Database = db,
      newId: string = randomUUID(),
    ): Promise<Ask> {
      const ask: Ask = {
        details: {},
        ...request,
        id: newId,
        askedMs: nowMs,
        decision: null,
        finishedMs: null,
      };
      const { id, actor, kind, subject, title, details, required, expiresMs } = ask;
      await executor
        .insertInto('ask')
        .values({
          id,
          team_id: actor.teamId,
          user_id: actor.userId,
          kind,
          subject,
          title,
          details: JSON.stringify(details),
          required: JSON.stringify(required),
          asked_at: nowMs,
          expires_at: expiresMs,
        })
        .execute();
      return ask;
    },

    async find(teamId: string, id: string, executor: Database = db): Promise<Ask | undefined> {
      const row = await executor
        .selectFrom('ask')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && read(row);
    },

    /** Finds the person's newest undecided request for the subject. */
    async findOpen(request: AskedSubject, nowMs: number): Promise<Ask | undefined> {
      const row = await newestAbout(request, nowMs).where('decision', 'is', null).executeTakeFirst();
      return row && read(row);
    },

    /** Returns someone else's decision on the person's newest request for the subject. */
    async findDecision(request: AskedSubject, nowMs: number): Promise<AskDecision | undefined> {
      const row = await newestAbout(request, nowMs)
        .where('decided_by', '!=', request.actor.userId)
        .executeTakeFirst();
      return (row && read(row)?.decision) ?? undefined;
    },

    /** Lists the person's undecided requests of a kind, oldest first. */
    async listOpen(actor: Actor, kind: AskKind, nowMs: number): Promise<readonly Ask[]> {
      const rows = await ofActor(actor, kind)
        .selectAll()
        .where('decision', 'is', null)
        .where('expires_at', '>', nowMs)
        .orderBy('asked_at')
        .execute();
      return readAll(rows);
    },

    /** Counts the person's requests of a kind since `sinceMs`, including decided ones. */
    async countSince(actor: Actor, kind: AskKind, sinceMs: number): Promise<number> {
      const { count } = await ofActor(actor, kind)
        .select((row) => row.fn.countAll<number | string>().as('count'))
        .where('asked_at', '>', sinceMs)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /**
     * Stores a decision about exactly this subject. Returns false if the request was already decided or has expired.
     */
    async decide(
      { id, subject, title }: Pick<Ask, 'id' | 'subject' | 'title'>,
      { verdict, by, atMs }: AskDecision,
    ): Promise<boolean> {
      return wasUpdated(
        db
          .updateTable('ask')
          .set({ subject, title, decision: verdict, decided_by: by, decided_at: atMs })
          .where('id', '=', id)
          .where('decision', 'is', null)
          .where('expires_at', '>', atMs),
      );
    },

    /** Undoes a decision that can't be carried out, so the request can be decided again. */
    async reopen(
      { id, subject, title }: Pick<Ask, 'id' | 'subject' | 'title'>,
      executor: Database,
    ): Promise<void> {
      await executor
        .updateTable('ask')
        .set({ subject, title, decision: null, decided_by: null, decided_at: null })
        .where('id', '=', id)
        .where('finished_at', 'is', null)
        .execute();
    },

    /** Lists the requests decided by `untilMs` but not yet carried out. */
    async listUnfinished(untilMs: number): Promise<readonly Ask[]> {
      const rows = await db
        .selectFrom('ask')
        .selectAll()
        .where('decided_at', '<=', untilMs)
        .where('finished_at', 'is', null)
        .orderBy('decided_at')
        .limit(maxUnfinished)
        .execute();
      return readAll(rows);
    },

    /** Lists a workspace's requests that can be decided at `nowMs`, oldest first. */
    async listOpenIn(teamId: string, nowMs: number): Promise<readonly Ask[]> {
      const rows = await db
        .selectFrom('ask')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('decision', 'is', null)
        .where('finished_at', 'is', null)
        .where('expires_at', '>', nowMs)
        .orderBy('asked_at')
        .limit(maxListed)
        .execute();
      return readAll(rows);
    },

    /** Changes what an open request is about. */
    async renew(
      id: string,
      { subject, title, details, expiresMs }: Pick<Ask, 'subject' | 'title' | 'details' | 'expiresMs'>,
      executor: Database,
    ): Promise<void> {
      await executor
        .updateTable('ask')
        .set({ subject, title, details: JSON.stringify(details), expires_at: expiresMs })
        .where('id', '=', id)
        .where('finished_at', 'is', null)
        .execute();
    },

    async setDetails(id: string, details: Ask['details'], executor: Database): Promise<void> {
      await executor
        .updateTable('ask')
        .set({ details: JSON.stringify(details) })
        .where('id', '=', id)
        .execute();
    },

    /** Ends a request, with a decision if there is one. Returns false if the request had already ended. */
    async close(
      id: string,
      decision: AskDecision | null,
      nowMs: number,
      executor: Database,
    ): Promise<boolean> {
      return wasUpdated(
        executor
          .updateTable('ask')
          .set({
            finished_at: nowMs,
            ...(decision && {
              decision: decision.verdict,
              decided_by: decision.by,
              decided_at: decision.atMs,
            }),
          })
          .where('id', '=', id)
          .where('finished_at', 'is', null),
      );
    },

    /** Records that a decision was carried out and shown. */
    async finish(id: string, nowMs: number, executor: Database = db): Promise<void> {
      await executor.updateTable('ask').set({ finished_at: nowMs }).where('id', '=', id).execute();
    },

    /** Ends overdue requests and returns them. Leaves out requests for runs, which end with their runs. */
    async expireOverdue(nowMs: number, executor: Database): Promise<readonly Ask[]> {
      const rows = await executor
        .updateTable('ask')
        .set({ finished_at: nowMs })
        .where('expires_at', '<=', nowMs)
        .where('kind', '!=', 'run')
        .where('decision', 'is', null)
        .where('finished_at', 'is', null)
        .returningAll()
        .execute();
      return readAll(rows);
    },

    /** Deletes requests that expired by `beforeMs`, except decided ones that haven't been carried out. */
    async deleteExpired(beforeMs: number): Promise<void> {
      await db
        .deleteFrom('ask')
        .where('expires_at', '<=', beforeMs)
        .where((row) => row.or([row('decision', 'is', null), row('finished_at', 'is not', null)]))
        .execute();
    },
  };
}

function toAsk(row: AskTable): Ask {
  const { kind, required, verdict } = rowSchema.parse({
    kind: row.kind,
    required: JSON.parse(row.required),
    verdict: row.decision,
  });
  return {
    id: row.id,
    actor: { teamId: row.team_id, userId: row.user_id },
    kind,
    subject: row.subject,
    title: row.title,
    details: JSON.parse(row.details),
    required,
    askedMs: row.asked_at,
    expiresMs: row.expires_at,
    decision: verdict && { verdict, by: row.decided_by ?? '', atMs: row.decided_at ?? 0 },
    finishedMs: row.finished_at,
  };
}
