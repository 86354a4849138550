import type { MemberDirectory } from '../../../auth/member-directory.ts';
import type { MessageRef } from '../../../messages/message.ts';
import type { ApprovalRoute } from '../../../runs/pipeline/approval/approval-route.ts';
import { mrkdwn } from '../../blocks/elements/blocks.ts';
import { escapeText } from '../../blocks/elements/text.ts';
import type { Message } from '../../blocks/message.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { maxRecipients, postToRecipients } from '../post-to-recipients.ts';

/** A request for approval by a second person. */
interface ApprovalRequest {
  readonly teamId: string;
  readonly message: Message;
  /** The people who can approve, except the requester. */
  readonly people: readonly string[];
  readonly route: ApprovalRoute;
}

/**
 * Posts a request to the channel in its rule, and mentions the rule's user group or everyone who
 * can approve. Without a channel that the app can post in, these people get direct messages.
 * Returns the posted messages.
 */
export type PostApprovalRequest = (request: ApprovalRequest) => Promise<readonly MessageRef[]>;

/** Why a user group isn't asked: it is no longer in Slack, or none of its members can approve. */
interface Unreached {
  readonly kind: 'gone' | 'powerless';
}

/** The people who are asked, and their mentions. */
interface Asked {
  readonly kind: 'asked';
  readonly people: readonly string[];
  readonly mention: string;
}

export function createApprovalRequests(
  clients: SlackClients,
  directory: Pick<MemberDirectory, 'listGroupMembers' | 'findDisplayName'>,
): PostApprovalRequest {
  async function askGroup(
    teamId: string,
    group: string,
    people: readonly string[],
  ): Promise<Asked | Unreached> {
    const members = await directory.listGroupMembers(teamId, group);
    if (members.kind === 'notFound') return { kind: 'gone' };
    const asked = members.kind === 'unknown' ? people : people.filter((userId) => members.value.has(userId));
    if (asked.length === 0) return { kind: 'powerless' };
    return { kind: 'asked', people: asked, mention: `<!subteam^${group}>: please approve or decline this.` };
  }

  return async ({ teamId, message, people, route: { channel, userGroup } }) => {
    const client = await clients(teamId);
    const group = userGroup === undefined ? undefined : await askGroup(teamId, userGroup, people);
    const asked = group?.kind === 'asked' ? group : askEveryone(people);
    const notes =
      userGroup === undefined || group === undefined || group.kind === 'asked'
        ? []
        : [mrkdwn(escapeText(formatUnreached(await directory.findDisplayName(teamId, userGroup), group)))];
    const request = { ...message, blocks: [...message.blocks, ...notes] };
    const pings = asked.people.length === 0 ? [] : [mrkdwn(asked.mention)];
    const inChannel =
      channel === null
        ? []
        : await postToRecipients(client, [channel], { ...request, blocks: [...request.blocks, ...pings] });
    return inChannel.length > 0 ? inChannel : postToRecipients(client, asked.people, request);
  };
}

/**
 * Mentions the people who can approve. Slack notifies them when the message is posted, but not when
 * it is edited.
 */
function askEveryone(people: readonly string[]): Asked {
  const mentions = people.slice(0, maxRecipients).map((userId) => `<@${userId}>`);
  return { kind: 'asked', people, mention: `${mentions.join(' ')} can approve this.` };
}

function formatUnreached(group: string, { kind }: Unreached): string {
  return kind === 'gone'
    ? `The approval rule asks a user group that doesn't exist in Slack anymore (${group}).`
    : `The approval rule asks @${group}, but no one in this user group can approve this.`;
}
