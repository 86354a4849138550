import type { ApprovalCard } from '../../operations/runs/approval.ts';
import type { Run } from '../../operations/runs/run.ts';
import { actionIds, button } from '../actions.ts';
import type { PersonWords } from '../with-names.ts';
import { buttonRow, factLines, heading, mrkdwn, notes } from './blocks.ts';
import { fitMessage } from './fit.ts';
import type { Message } from './message.ts';
import { escapeText, notificationText } from './text.ts';

/** Shows the card that asks a second person: who wants what where, with the target as it is now. */
export function renderApproval(
  { token, run, title, button: label, warning, effect, facts, isAskedAgain }: ApprovalCard,
  nameOf: PersonWords,
): Message {
  const { asker, origin } = run;
  const where = origin.channel === undefined ? '' : ` in <#${origin.channel}>`;
  return {
    text: notificationText(`${title}: a second person is asked`),
    blocks: fitMessage([
      heading(`${title}?`),
      mrkdwn(`${escapeText(nameOf(asker.userId))} asks for this${where}, and it needs a second person.`),
      ...factLines(facts),
      ...notes([
        ...(isAskedAgain ? ['The target has changed since you were asked: look again.'] : []),
        ...(warning ? [warning] : []),
        'Whoever could do it themselves can approve it, within 15 minutes.',
      ]),
      ...buttonRow([
        button(actionIds.approve, `Approve ${label}`, token, effect === 'destroy' ? 'danger' : 'primary'),
        button(actionIds.decline, 'Decline', token),
      ]),
    ]),
  };
}

/** Shows what became of what a second person was asked. */
export function renderDecided(
  { asker, approval, status, result }: Run,
  title: string,
  nameOf: PersonWords,
): Message {
  const name = (userId: string) => escapeText(nameOf(userId));
  const approver = approval?.approverId;
  const decidedBy = result?.kind === 'problem' ? result.problem.by : undefined;
  const words = approver
    ? `✅ Approved by ${name(approver)}.`
    : status === 'expired'
      ? '💤 Nobody approved it in time: it was not run.'
      : decidedBy === asker.userId
        ? '🚫 Taken back: it was not run.'
        : decidedBy
          ? `🚫 Declined by ${name(decidedBy)}: it was not run.`
          : '🚫 It was not run.';
  return {
    text: notificationText(`${title}: decided`),
    blocks: [heading(title), mrkdwn(`${words} Asked for by ${name(asker.userId)}.`)],
  };
}
