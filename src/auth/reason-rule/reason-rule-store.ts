import type { Database } from '../../db/engines/database.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import type { FindReasonRule } from '../../runs/pipeline/reason/reason-rule.ts';

export interface ReasonRuleStore {
  readonly find: FindReasonRule;
  save(actor: Actor, appliesTo: 'destroy' | 'change', nowMs: number): Promise<void>;
  remove(teamId: string): Promise<void>;
}

/** Stores which changes need a reason. A workspace has one rule, or none. */
export function createReasonRuleStore(db: Database): ReasonRuleStore {
  return {
    async find(teamId) {
      const row = await db
        .selectFrom('reason_rule')
        .select('applies_to')
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      if (!row) return undefined;
      return row.applies_to === 'destroy' ? 'destroy' : 'change';
    },
    async save({ teamId, userId }, appliesTo, nowMs) {
      const values = { applies_to: appliesTo, set_by: userId, set_at: nowMs };
      await db
        .insertInto('reason_rule')
        .values({ team_id: teamId, ...values })
        .onConflict((conflict) => conflict.column('team_id').doUpdateSet(values))
        .execute();
    },
    async remove(teamId) {
      await db.deleteFrom('reason_rule').where('team_id', '=', teamId).execute();
    },
  };
}
