import type { Actor, Origin } from '../../operations/define/access/actor.ts';
import { noteBlocks } from '../blocks/elements/blocks.ts';
import type { Message } from '../blocks/message.ts';
import { renderNotice } from '../blocks/notice.ts';
import type { SlackClients } from '../client/slack-clients.ts';
import { isCannotPostError } from '../client/slack-errors.ts';
import { requirePosted } from './require-posted.ts';
import { postToResponseUrl } from './response-url.ts';

export interface StatusMessage {
  edit(message: Message): Promise<void>;
  remove(): Promise<void>;
}

export interface Reply {
  /** Sends a message that only the actor sees, where the request was made. */
  sendToActor(message: Message): Promise<void>;
  sendToChannel(message: Message): Promise<void>;
  /** Posts a message that can contain an image, in the request's channel or in the actor's DMs. */
  post(message: Message, to: 'channel' | 'actor'): Promise<void>;
  /** Posts a message that can be edited and removed, in the same place as `post`. */
  postStatus(message: Message, to: 'channel' | 'actor'): Promise<StatusMessage>;
  /**
   * Posts a notice, where the request was made, that the reply takes a moment. `to` says where the reply
   * will go. Resolves to a function that removes the notice, if Slack lets the app remove it.
   */
  showWorking(message: Message, to: 'channel' | 'actor'): Promise<() => Promise<void>>;
  /** Replaces the message whose button was clicked. Without a click, sends a new message. */
  replace(message: Message): Promise<void>;
  /** Removes the message whose button was clicked. */
  remove(): Promise<void>;
}

interface OriginReply extends Reply {
  /**
   * Tells the actor, where the request was made, that the reply was sent elsewhere. Posts at most once, and
   * does nothing if the app can't post there.
   */
  postPointer(text: string): Promise<void>;
}

interface ReplyTarget {
  readonly actor: Actor;
  readonly origin: Origin;
  /** The response URL of a clicked button, which can replace or delete the button's message. */
  readonly clickedUrl?: string;
}

/** Small print for a message that couldn't be posted in its request's channel. */
export const inviteNote =
  "You're seeing this because I'm not in the channel where you asked. Run /invite @Rackhand there so that your team sees it.";

/**
 * Notices that the reply went to the actor's DMs, either because only the actor can see it (`plain`) or
 * because the app isn't in the channel (`invite`).
 */
export const directMessageNotices = {
  plain: 'I sent it to your DMs.',
  invite: "I'm not in this channel, so I sent it to your DMs. To post here, run `/invite @Rackhand`.",
} as const;

const pendingDirectMessageNotice = "⏳ This takes a while. I'll show the progress in your DMs.";

export function createReply(clients: SlackClients, { actor, origin, clickedUrl }: ReplyTarget): OriginReply {
  const thread = origin.threadTs === undefined ? {} : { thread_ts: origin.threadTs };
  const url = clickedUrl ?? origin.responseUrl;
  const isDirectMessage = origin.isDirectMessage === true;

  /**
   * Posts to the request's response URL. Resolves to false if there is no URL or the URL has expired; the
   * caller then replies in another way.
   */
  const postToUrl = async (body: Readonly<Record<string, unknown>>) =>
    url !== undefined &&
    (await postToResponseUrl(url, clients.adapt(actor.teamId, { ...thread, ...body }), clients.apiUrl));

  const postEphemeralToUrl = (message: Message) =>
    postToUrl({ response_type: 'ephemeral', replace_original: false, ...message });

  let hasPointed = false;

  /** Posts an ephemeral message to the actor. Resolves to false if the app can't post in the channel. */
  async function postEphemeral(message: Message): Promise<boolean> {
    const { channel } = origin;
    if (channel === undefined) return false;
    const client = await clients(actor.teamId);
    try {
      await client.chat.postEphemeral({ channel, user: actor.userId, ...thread, ...message });
      return true;
    } catch (error) {
      if (!isCannotPostError(error)) throw error;
      return false;
    }
  }

  async function sendDirectMessage(message: Message): Promise<void> {
    // Ephemeral messages disappear when Slack is restarted, which no one expects in DMs.
    if (isDirectMessage) return void (await post(message, 'actor'));
    if (await postEphemeral(message)) return;
    const client = await clients(actor.teamId);
    await client.chat.postMessage({ channel: actor.userId, ...message });
  }

  async function postPointer(text: string): Promise<void> {
    if (hasPointed) return;
    hasPointed = true;
    const message = renderNotice(text);
    // Failures are ignored, because the reply itself was already delivered.
    if (!(await postEphemeralToUrl(message))) await postEphemeral(message).catch(() => false);
  }

  const isElsewhere = (channel: string | undefined) =>
    origin.channel !== undefined && origin.channel !== channel;

  async function post(message: Message, to: 'channel' | 'actor') {
    const client = await clients(actor.teamId);
    const { channel } = origin;
    const postDirectly = (direct: Message) => client.chat.postMessage({ channel: actor.userId, ...direct });
    if (channel === undefined || (to === 'actor' && !isDirectMessage)) return postDirectly(message);
    try {
      return await client.chat.postMessage({ channel, ...thread, ...message });
    } catch (error) {
      if (!isCannotPostError(error)) throw error;
      return postDirectly({ ...message, blocks: [...message.blocks, ...noteBlocks([inviteNote])] });
    }
  }

  const sendToActor = async (message: Message) => {
    if (!(await postEphemeralToUrl(message))) await sendDirectMessage(message);
  };

  return {
    sendToActor,
    postPointer,
    async sendToChannel(message) {
      if (await postToUrl({ response_type: 'in_channel', replace_original: false, ...message })) return;
      if (origin.channel === undefined) return sendDirectMessage(message);
      const client = await clients(actor.teamId);
      await client.chat.postMessage({ channel: origin.channel, ...thread, ...message });
    },
    async post(message, to) {
      const { channel } = await post(message, to);
      if (isElsewhere(channel))
        await postPointer(to === 'actor' ? directMessageNotices.plain : directMessageNotices.invite);
    },
    async postStatus(message, to) {
      const client = await clients(actor.teamId);
      const { channel, ts } = requirePosted(await post(message, to));
      if (isElsewhere(channel)) await postPointer(pendingDirectMessageNotice);
      return {
        async edit(next) {
          await client.chat.update({ channel, ts, ...next });
        },
        async remove() {
          await client.chat.delete({ channel, ts });
        },
      };
    },
    async showWorking(message, to) {
      // A message posted through a response URL can't be removed, so the URL isn't used for a notice that
      // others see.
      const isSeenByAll = isDirectMessage || (to === 'channel' && origin.channel !== undefined);
      if (!isSeenByAll && (await postEphemeralToUrl(message))) return async () => undefined;
      const client = await clients(actor.teamId);
      const { channel, ts } = requirePosted(await post(message, 'channel'));
      return async () => {
        await client.chat.delete({ channel, ts }).catch(() => undefined);
      };
    },
    async replace(message) {
      if (clickedUrl === undefined || !(await postToUrl({ replace_original: true, ...message })))
        await sendToActor(message);
    },
    async remove() {
      if (clickedUrl !== undefined) await postToUrl({ delete_original: true });
    },
  };
}
