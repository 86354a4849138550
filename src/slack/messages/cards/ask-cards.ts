import type { types } from '@slack/bolt';
import type { Logger } from 'pino';
import type { Ask, AskCards } from '../../../asks/ask.ts';
import { toDecisionSteps } from '../../../asks/ask-operations.ts';
import type { MemberDirectory } from '../../../auth/member-directory.ts';
import {
  createVpsLabeler,
  findUnlabelledVps,
  type LabelVps,
  labelFacts,
} from '../../../operations/format/label-vps.ts';
import type { LabelVpsFor } from '../../../runs/team-labels.ts';
import {
  buttonRow,
  factLines,
  headingBlock,
  mrkdwn,
  noteBlocks,
  stepButtons,
} from '../../blocks/elements/blocks.ts';
import { confirmDialog, stepButton, withSpokenLabel } from '../../blocks/elements/buttons.ts';
import { notificationText } from '../../blocks/elements/text.ts';
import type { Message } from '../../blocks/message.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import type { PostApprovalRequest } from './post-approval-request.ts';

interface AskCardsDependencies {
  readonly clients: SlackClients;
  readonly directory: Pick<MemberDirectory, 'findDisplayName'>;
  readonly postRequest: PostApprovalRequest;
  readonly labelVpsFor: LabelVpsFor;
  readonly log: Pick<Logger, 'warn'>;
}

/** Asks people in Slack to decide requests, and shows the decisions. */
export function createAskCards({
  clients,
  directory,
  postRequest,
  labelVpsFor,
  log,
}: AskCardsDependencies): AskCards {
  return {
    async send(ask, people, { route, canBeNarrowed, risk }) {
      const { teamId, userId } = ask.actor;
      const label = await labelVpsFor(teamId);
      const person = await directory.findDisplayName(teamId, userId);
      const dialog =
        risk === undefined
          ? undefined
          : confirmDialog('Approve this?', `@${person} gets: ${label(ask.title)}. ${risk}`, 'Approve');
      const message = renderRequest(ask, label, { canBeNarrowed, dialog });
      return postRequest({ teamId, message, people, route });
    },

    async showDecision(ask, advice) {
      const { teamId, userId } = ask.actor;
      const [client, label] = await Promise.all([clients(teamId), labelVpsFor(teamId)]);
      const decided = renderDecided(ask, label);
      const results = await Promise.allSettled([
        ...ask.cards.map((card) => client.chat.update({ ...card, ...decided })),
        ...(ask.decision?.by === userId
          ? []
          : [client.chat.postMessage({ channel: userId, ...renderNotification(ask, label, advice) })]),
      ]);
      for (const result of results) {
        if (result.status === 'rejected')
          log.warn({ err: result.reason }, 'the decision on a request could not be shown');
      }
    },
  };
}

function renderRequest(
  ask: Ask,
  label: LabelVps,
  { canBeNarrowed, dialog }: { canBeNarrowed: boolean; dialog: types.ConfirmationDialog | undefined },
): Message {
  const { id, actor, facts } = ask;
  const title = label(ask.title);
  const buttons = toDecisionSteps(id, { canBeNarrowed }).flatMap((step, index): types.Button[] => {
    const shown = stepButton(step, index);
    if (!shown) return [];
    const spoken = withSpokenLabel(shown, `${step.label}: ${title}`);
    return [index === 0 ? { ...spoken, style: 'primary', ...(dialog && { confirm: dialog }) } : spoken];
  });
  return {
    text: notificationText(`Approval needed: ${title}`),
    blocks: [
      headingBlock(`${title}?`),
      mrkdwn(`<@${actor.userId}> requests this. Someone else has to decide.`),
      ...factLines(labelFacts(facts, label)),
      ...noteBlocks(['Approve allows exactly this. If others were asked too, the first decision counts.']),
      ...buttonRow(buttons),
    ],
  };
}

function renderDecided(ask: Ask, label: LabelVps): Message {
  const title = label(ask.title);
  return {
    text: notificationText(`Decided: ${title}`),
    blocks: [headingBlock(title), mrkdwn(`${formatDecision(ask)} Requested by <@${ask.actor.userId}>.`)],
  };
}

/** Tells the asker. Names of VPS are shown only after an approval: before, they may not see them. */
function renderNotification(ask: Ask, labelAny: LabelVps, advice: string | undefined): Message {
  const isApproved = ask.decision?.verdict === 'approved';
  const known = new Map(findUnlabelledVps(ask.title).map((vps) => [vps, labelAny(vps)]));
  const label = createVpsLabeler(isApproved ? known : new Map());
  const title = label(ask.title);
  const { followUpStep } = ask;
  const steps = followUpStep && isApproved ? [{ ...followUpStep, label: label(followUpStep.label) }] : [];
  return {
    text: notificationText(`Decided: ${title}`),
    blocks: [
      headingBlock(title),
      mrkdwn([formatDecision(ask), ...(isApproved && advice ? [advice] : [])].join(' ')),
      ...buttonRow(stepButtons(steps)),
    ],
  };
}

function formatDecision({ actor, decision }: Ask): string {
  if (decision?.by === actor.userId) return '🚫 Withdrawn.';
  return `${decision?.verdict === 'approved' ? '✅ Approved' : '🚫 Declined'} by <@${decision?.by}>.`;
}
