import { randomUUID } from 'node:crypto';
import type { Database } from '../../db/engines/database.ts';
import type { Effect } from '../../hosting/endpoints/endpoint.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import type { ApprovalRoute } from '../../runs/pipeline/approval/approvals.ts';

/** Which operations in a workspace need approval by a second person, or a reason. */
export interface ApprovalRule {
  readonly id: string;
  /** `breakGlass` means that the operation needs an approval, or an admin who acts alone and states a reason. */
  readonly needs: 'approval' | 'breakGlass' | 'reason';
  /** An effect (which includes more severe effects), the name of an operation, or `reveal`. */
  readonly subject: string;
  /** A VPS pattern. Only `*` applies to operations that name no VPS. */
  readonly vps: string;
  /** The channel for the approval card. If null, approvers get the card in direct messages. */
  readonly channel: string | null;
  /** The ID of the user group that is asked for approval. If null, everyone who can approve is asked. */
  readonly userGroup: string | null;
}

/** The effects that a rule can name, least severe first. */
export const approvableEffects = ['change', 'disrupt', 'destroy'] as const satisfies readonly Effect[];

/** The subject of a rule that covers secrets shown only once. */
export const revealSubject = 'reveal';

/** Returns the channel and user group that a rule asks. */
export function toRoute({ channel, userGroup }: ApprovalRule): ApprovalRoute {
  return { channel, ...(userGroup !== null && { userGroup }) };
}

export interface ApprovalRuleStore {
  list(teamId: string): Promise<readonly ApprovalRule[]>;
  add(actor: Actor, rule: Omit<ApprovalRule, 'id'>, nowMs: number): Promise<ApprovalRule>;
  /** Removes a rule. Returns false if the workspace has no such rule. */
  remove(teamId: string, id: string): Promise<boolean>;
}

export function createApprovalRuleStore(db: Database): ApprovalRuleStore {
  return {
    async list(teamId) {
      const rows = await db
        .selectFrom('approval_rule')
        .select(['id', 'needs', 'applies_to as subject', 'vps', 'channel', 'user_group as userGroup'])
        .where('team_id', '=', teamId)
        .orderBy('created_at')
        .execute();
      return rows.map(({ needs, ...row }) => ({
        ...row,
        needs: needs === 'reason' || needs === 'breakGlass' ? needs : 'approval',
      }));
    },
    async add({ teamId, userId }, rule, nowMs) {
      const id = randomUUID().slice(0, 8);
      await db
        .insertInto('approval_rule')
        .values({
          id,
          needs: rule.needs,
          applies_to: rule.subject,
          vps: rule.vps,
          channel: rule.channel,
          user_group: rule.userGroup,
          team_id: teamId,
          created_by: userId,
          created_at: nowMs,
        })
        .execute();
      return { id, ...rule };
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
