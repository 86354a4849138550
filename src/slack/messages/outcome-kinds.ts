import type { z } from 'zod';
import type { FindChannelSteps } from '../../auth/channel-steps.ts';
import { toGranteeKind } from '../../auth/grants/grantee.ts';
import { undeliverableContent, undeliverableKind } from '../../messages/outbox.ts';
import { outcomeContent, outcomeKind } from '../../messages/post-outcome.ts';
import { alertKind } from '../../monitoring/watches/delivery/alert-notifier.ts';
import { escalationKind } from '../../monitoring/watches/delivery/escalation-job.ts';
import { unreadContent, unreadKind } from '../../monitoring/watches/delivery/unread-notices.ts';
import { keepPermittedSteps } from '../../operations/define/access/permitted-steps.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import { mrkdwn } from '../blocks/elements/blocks.ts';
import { escapeText, notificationText } from '../blocks/elements/text.ts';
import type { Message } from '../blocks/message.ts';
import { renderNotice } from '../blocks/notice.ts';
import { type OutcomeView, renderOutcome } from '../blocks/outcome.ts';
import type { ResolveMentions } from '../blocks/resolve-mentions.ts';
import type { MessageKind } from './transport.ts';

/** Why a message couldn't be delivered, by Slack error code. */
const reasons: Readonly<Record<string, string>> = {
  is_archived: 'the channel is archived',
  not_in_channel: "I'm not in the channel",
  channel_not_found: "the channel doesn't exist, or I'm not in it",
  user_disabled: 'the person has left Slack',
  user_not_found: 'the person has left Slack',
  slack_away: "Slack didn't answer for a day",
};

interface OutcomeRendering {
  readonly resolveMentions: ResolveMentions;
  readonly findChannelSteps: FindChannelSteps;
}

/** Creates the kinds of messages that aren't about runs. In channels, only a ping mentions anyone. */
export function createOutcomeKinds(rendering: OutcomeRendering): Readonly<Record<string, MessageKind>> {
  const shownOutcome: MessageKind = {
    async render({ teamId, channel, content, postedMs }) {
      const { outcome, ping, picture } = outcomeContent.parse(content);
      // If Slack rejects the message because of the picture, the variant without the picture is sent.
      const views: readonly OutcomeView[] = [...(picture ? [{ picture }] : []), {}];
      if (isPerson(channel)) return views.map((view) => renderOutcome(outcome, { ...view, isUnpaged: true }));
      // Edits and reposts ping no one.
      const shown = { outcome, ping: postedMs === null ? ping : undefined };
      return Promise.all(
        views.map((view) => renderInChannel({ teamId, channel }, { ...shown, ...view }, rendering)),
      );
    },
  };
  return {
    [outcomeKind]: shownOutcome,
    [alertKind]: {
      ...shownOutcome,
      isNeeded: ({ content }) => outcomeContent.parse(content).isNeeded === true,
    },
    [escalationKind]: shownOutcome,
    [unreadKind]: {
      render: async ({ content }) => [renderNotice(unreadContent.parse(content).text)],
    },
    [undeliverableKind]: {
      async render({ content }) {
        const notice = undeliverableContent.parse(content);
        return [renderUndeliverable(notice)];
      },
    },
  };
}

function renderUndeliverable({ about, channel, reason, isForAdmin }: z.infer<typeof undeliverableContent>) {
  const place = isPerson(channel) ? `to <@${channel}>` : `in <#${channel}>`;
  const why = reasons[reason] ?? `Slack says \`${escapeText(reason)}\``;
  const text = `⚠️ I couldn't ${isPerson(channel) ? 'send' : 'post'} a message ${place}: ${why}. It was about: *${escapeText(about)}*.`;
  const advice = isForAdmin
    ? "You're seeing this as an admin of Rackhand."
    : isPerson(channel)
      ? 'Tell them yourself, or choose another recipient.'
      : 'Invite me to the channel with /invite @Rackhand, or choose another one.';
  return {
    text: notificationText(`A message couldn't be delivered: ${about}`),
    blocks: [mrkdwn(text), mrkdwn(advice)],
  };
}

/** Renders an outcome for a channel, with only the buttons that people there can use. */
export async function renderInChannel(
  channelRef: { readonly teamId: string; readonly channel: string },
  {
    outcome,
    ping,
    picture,
  }: Pick<OutcomeView, 'picture'> & { readonly outcome: Outcome; readonly ping?: string | undefined },
  { resolveMentions, findChannelSteps }: OutcomeRendering,
): Promise<Message> {
  const permitted = keepPermittedSteps(outcome, await findChannelSteps(channelRef));
  const view = { isUnpaged: true, ...(picture && { picture }) };
  const message = renderOutcome(await resolveMentions(permitted, channelRef.teamId), view);
  return ping === undefined ? message : withPing(message, ping);
}

const isPerson = (channel: string) => /^[UW]/.test(channel);

/** Adds a line below the heading that mentions a person or user group. Slack pings them when the message is posted. */
function withPing(message: Message, id: string): Message {
  const mention = toGranteeKind(id) === 'group' ? `<!subteam^${id}>` : `<@${id}>`;
  return { ...message, blocks: message.blocks.toSpliced(1, 0, mrkdwn(`🔔 ${mention}`)) };
}
