import type { Database } from '../db/engines/database.ts';
import type { Actor } from '../operations/define/access/actor.ts';
import type { Argument } from '../operations/define/arguments/argument.ts';
import { keywordControl, keywordSchema } from '../operations/define/arguments/keyword.ts';
import { defineLocal } from '../operations/define/define-operation.ts';
import type { Operation } from '../operations/define/operation.ts';
import type { Outcome } from '../operations/define/outcome.ts';
import type { FindReasonRule } from '../runs/pipeline/reason/reason-rule.ts';

const ruleLabels = {
  destroy: 'Anything that can lose data',
  change: 'Every change',
  off: 'Nothing',
} as const;

type ReasonSetting = keyof typeof ruleLabels;

const what: Argument<ReasonSetting> = {
  label: 'What needs a reason',
  example: 'destroy',
  valueName: 'what',
  hint: 'destroy (what can lose data), change (everything that changes something), or off.',
  fieldHint: 'For changes at the hosting service. Everyone who sees a change can read its reason.',
  control: keywordControl(ruleLabels),
  required: true,
  schema: keywordSchema(ruleLabels, 'Choose destroy, change or off'),
};

/** Declares `reason require`. `approval list` shows the rule. */
export function createReasonOperations(store: ReasonRuleStore, now: () => number): readonly Operation[] {
  return [
    defineLocal({
      name: 'reason require',
      heading: 'Require a reason',
      summary: 'Require a reason for changes',
      arguments: { what },
      button: 'Save',
      right: 'admin',
      target: (input) => input.what,
      async run({ actor }, input) {
        if (input.what === 'off') await store.remove(actor.teamId);
        else await store.save(actor, input.what, now());
        return describe(input.what);
      },
    }),
  ];
}

const ruleTitles: Readonly<Record<ReasonSetting, string>> = {
  destroy: 'Anything that can lose data needs a reason',
  change: 'Every change needs a reason',
  off: 'No change needs a reason',
};

/** Says which changes need a reason. */
export function formatReasonRule(rule: Awaited<ReturnType<FindReasonRule>>): string {
  return `${ruleTitles[rule ?? 'off']}.`;
}

function describe(rule: ReasonSetting): Outcome {
  const next = [{ label: 'Change', operation: 'reason require', input: {}, opensForm: true }];
  const title = ruleTitles[rule];
  if (rule === 'off') return { title, next };
  return {
    title,
    notes: ['Type it with --reason "INC-42". Otherwise the card asks for it.'],
    next,
  };
}

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
