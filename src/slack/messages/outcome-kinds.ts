import type { z } from 'zod';
import { undeliverableContent, undeliverableKind } from '../../messages/outbox.ts';
import { mrkdwn } from '../blocks/elements/blocks.ts';
import { escapeText, notificationText } from '../blocks/elements/text.ts';
import type { MessageKind } from './transport.ts';

/** Why a message couldn't be delivered, by Slack's error. */
const reasons: Readonly<Record<string, string>> = {
  is_archived: 'the channel is archived',
  not_in_channel: "I'm not in the channel",
  channel_not_found: "the channel doesn't exist, or I'm not in it",
  user_disabled: 'the person has left Slack',
  user_not_found: 'the person has left Slack',
  slack_away: "Slack didn't answer for a day",
};

/** Creates the messages that aren't about runs. */
export function createOutcomeKinds(): Readonly<Record<string, MessageKind>> {
  return {
    [undeliverableKind]: {
      async render({ content }) {
        const notice = undeliverableContent.parse(content);
        return [renderUndeliverable(notice)];
      },
    },
  };
}

function renderUndeliverable({ about, channel, reason, isForAdmin }: z.infer<typeof undeliverableContent>) {
  const place = /^[UW]/.test(channel) ? `to <@${channel}>` : `in <#${channel}>`;
  const why = reasons[reason] ?? `Slack says \`${escapeText(reason)}\``;
  const text = `⚠️ I couldn't post a message ${place}: ${why}. It was about: *${escapeText(about)}*.`;
  const advice = isForAdmin
    ? "You're seeing this as an admin of Rackhand."
    : 'Invite me to the channel with /invite @Rackhand, or choose another one.';
  return {
    text: notificationText(`A message couldn't be delivered: ${about}`),
    blocks: [mrkdwn(text), mrkdwn(advice)],
  };
}
