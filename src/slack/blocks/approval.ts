import type { types } from '@slack/bolt';
import { toRunDecisionSteps } from '../../asks/ask-operations.ts';
import type { ApprovalCard } from '../../runs/pipeline/approval/approval-card.ts';
import type { Run } from '../../runs/run.ts';
import { buttonRow, factLines, headingBlock, mrkdwn, noteBlocks, warningBlocks } from './elements/blocks.ts';
import { stepButton, withSpokenLabel } from './elements/buttons.ts';
import { fitMessage } from './elements/fit-message.ts';
import { escapeText, notificationText } from './elements/text.ts';
import type { Message } from './message.ts';
import type { FormatPerson } from './resolve-mentions.ts';

/**
 * Renders the card that asks for approval. The card shows the requester, the change, the channel
 * and the target's current state.
 */
export function renderApproval(card: ApprovalCard, formatPerson: FormatPerson): Message {
  const { run, title, warning, facts, hasTargetChanged } = card;
  const { actor, origin } = run;
  const location = origin.channel === undefined || origin.isDirectMessage ? '' : ` in <#${origin.channel}>`;
  return {
    text: notificationText(`${title}: approval needed`),
    blocks: fitMessage([
      headingBlock(`${title}?`),
      ...warningBlocks(warning),
      mrkdwn(
        `${escapeText(formatPerson(actor.userId))} requests this${location}. It needs approval by a second person.`,
      ),
      ...factLines(facts),
      ...noteBlocks([
        ...(hasTargetChanged
          ? ['The target has changed since you were asked. Check it before you approve.']
          : []),
        'Anyone else with the right to do this can approve it within 15 minutes.',
      ]),
      ...buttonRow(decisionButtons(card, title)),
    ]),
  };
}

function decisionButtons({ token, button, effect }: ApprovalCard, title: string): types.Button[] {
  return toRunDecisionSteps(token, button).flatMap((step, index): types.Button[] => {
    const shown = stepButton(step, index);
    if (!shown) return [];
    const spoken = withSpokenLabel(shown, `${step.label}: ${title}`);
    return [index === 0 ? { ...spoken, style: effect === 'destroy' ? 'danger' : 'primary' } : spoken];
  });
}

/** Renders the approval card after the decision. */
export function renderDecidedApproval(
  { actor, approval, status, result }: Run,
  title: string,
  formatPerson: FormatPerson,
): Message {
  const name = (userId: string) => escapeText(formatPerson(userId));
  const approver = approval?.approverId;
  const decidedBy = result?.kind === 'problem' ? result.problem.decidedBy : undefined;
  const decision = approver
    ? `✅ Approved by ${name(approver)}.`
    : status === 'expired'
      ? '💤 No one approved it in time. Nothing was changed.'
      : decidedBy === actor.userId
        ? '🚫 Withdrawn. Nothing was changed.'
        : decidedBy
          ? `🚫 Declined by ${name(decidedBy)}. Nothing was changed.`
          : '🚫 Not run. Nothing was changed.';
  return {
    text: notificationText(`${title}: decided`),
    blocks: [headingBlock(title), mrkdwn(`${decision} Requested by ${name(actor.userId)}.`)],
  };
}
