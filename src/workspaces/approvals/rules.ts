import { randomUUID } from 'node:crypto';
import type { Effect } from '../../hosting/endpoint.ts';
import { inputOf, vpsNamesOf } from '../../operations/input.ts';
import { type ChangeOperation, effectOf } from '../../operations/operation.ts';
import type { ApprovalRules } from '../../operations/runs/approval.ts';
import type { Asker, Run } from '../../operations/runs/run.ts';
import type { Database } from '../../storage/database.ts';
import { everything, fits } from '../rights/pattern.ts';

/** For what a workspace wants a second person. */
export interface ApprovalRule {
  readonly id: string;
  /** An effect, which stands for the heavier ones too, or the name of an operation. */
  readonly what: string;
  /** A pattern of VPS names; what names no VPS is meant by `*` alone. */
  readonly vps: string;
  /** Where the card goes; to those who can approve where there is none. */
  readonly channel: string | null;
}

/** Effects that a rule can name, mildest first. */
export const approvedEffects = ['change', 'disturb', 'destroy'] as const satisfies readonly Effect[];

export interface ApprovalRuleStore {
  list(teamId: string): Promise<readonly ApprovalRule[]>;
  add(asker: Asker, rule: Omit<ApprovalRule, 'id'>, nowMs: number): Promise<ApprovalRule>;
  /** Answers whether there was such a rule in that workspace. */
  remove(teamId: string, id: string): Promise<boolean>;
}

/** Creates the store of the rules by which a second person is wanted. */
export function createApprovalRuleStore(db: Database): ApprovalRuleStore {
  return {
    async list(teamId) {
      const rows = await db
        .selectFrom('approval_rule')
        .select(['id', 'what', 'vps', 'channel'])
        .where('team_id', '=', teamId)
        .orderBy('made_at')
        .execute();
      return rows;
    },
    async add({ teamId, userId }, rule, nowMs) {
      const id = randomUUID().slice(0, 8);
      const made = { id, ...rule };
      await db
        .insertInto('approval_rule')
        .values({ ...made, team_id: teamId, made_by: userId, made_at: nowMs })
        .execute();
      return made;
    },
    async remove(teamId, id) {
      const { numDeletedRows } = await db
        .deleteFrom('approval_rule')
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },
  };
}

/** Tells by the rules of a workspace whether a run wants a second person. */
export function createApprovalRules(store: Pick<ApprovalRuleStore, 'list'>): ApprovalRules {
  return async (run, operation) => {
    const rules = await store.list(run.asker.teamId);
    const rule = rules.find((one) => isMeant(one, run, operation));
    return rule && { channel: rule.channel };
  };
}

function isMeant({ what, vps }: ApprovalRule, run: Run, operation: ChangeOperation): boolean {
  const input = inputOf(operation, run.input);
  if (!isWhat(what, operation, input)) return false;
  // What names no VPS concerns them all: only the pattern for everything means it.
  return (
    vps === everything ||
    operation.isAccountWide === true ||
    vpsNamesOf(operation.arguments, input).some((name) => fits(vps, name))
  );
}

function isWhat(what: string, operation: ChangeOperation, input: Readonly<Record<string, unknown>>): boolean {
  const effects: readonly string[] = approvedEffects;
  const wanted = effects.indexOf(what);
  if (wanted >= 0) return effects.indexOf(effectOf(operation, input)) >= wanted;
  if (what === operation.name) return true;
  // An action that is sent by its name is that operation by another way.
  const { action } = input;
  return operation.name === 'action' && typeof action === 'string' && action.toLowerCase() === what;
}
