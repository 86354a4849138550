import { webApi } from '@slack/bolt';
import { RackhandError } from '../../errors.ts';
import type {
  FindResult,
  MessageRef,
  SendResult,
  Message as StoredMessage,
  Transport,
} from '../../messages/message.ts';
import { noteBlocks } from '../blocks/elements/blocks.ts';
import type { Message } from '../blocks/message.ts';
import type { SlackClient, SlackClients } from '../client/slack-clients.ts';
import {
  isCannotPostError,
  isExpiredTokenError,
  isServerError,
  isSlackPlatformError,
  isTokenError,
  wasNeverSent,
} from '../client/slack-errors.ts';
import { findOwnMessage, findOwnReply, type MessageMetadata } from './own-messages.ts';
import { requirePosted } from './require-posted.ts';

export interface MessageKind {
  /**
   * Returns the message, followed by alternatives in case Slack rejects it. Returns none if there is nothing
   * to show.
   */
  render(message: StoredMessage): Promise<readonly Message[]>;
  /** Sends the message without `chat.postMessage`. The message then can't be edited. */
  send?(message: StoredMessage, rendered: Message): Promise<void>;
  /**
   * Returns whether to post a message again after somebody has deleted it in Slack. By default, a deleted
   * message stays deleted.
   */
  isNeeded?(message: StoredMessage): boolean;
  /** Called after the message was posted somewhere other than intended. Failures are ignored. */
  onMoved?(message: StoredMessage): Promise<void>;
}

interface TransportDependencies {
  /** Clients that reject a call on a 429 instead of waiting. */
  readonly clients: SlackClients;
  readonly kinds: Readonly<Record<string, MessageKind>>;
  /** Returns the ID of the app's DM with a person, if known. */
  readonly findConversation: (teamId: string, userId: string) => Promise<string | undefined>;
}

const deletedError = 'message_not_found';

/** Slack's errors for a message that was deleted or can no longer be edited. */
const missingMessageErrors: ReadonlySet<string> = new Set([
  deletedError,
  'cant_update_message',
  'cant_delete_message',
  'edit_window_closed',
]);

const possibleRepeatNote =
  "This may be a repeat: Slack didn't confirm the first message, and Rackhand can't check whether it was posted.";

/** Sends outbox messages to Slack, and finds them again by their key. */
export function createTransport({ clients, kinds, findConversation }: TransportDependencies): Transport {
  function kindOf({ kind }: StoredMessage): MessageKind {
    const found = kinds[kind];
    if (!found) throw new Error(`no message of the kind ${kind} can be rendered`);
    return found;
  }

  async function render(stored: StoredMessage): Promise<readonly Message[]> {
    const notes = [
      ...(stored.mayRepeat ? [possibleRepeatNote] : []),
      ...(stored.movedFrom === null ? [] : [formatMoved(stored.movedFrom)]),
    ];
    const variants = await kindOf(stored).render(stored);
    return variants.map((variant) => ({ ...variant, blocks: [...variant.blocks, ...noteBlocks(notes)] }));
  }

  /** Tries the variants of a message, and finally only its text, until Slack accepts one. */
  async function sendFirst(
    stored: StoredMessage,
    send: (client: SlackClient, message: Message) => Promise<MessageRef | null>,
  ): Promise<SendResult> {
    const variants = await render(stored);
    const [first] = variants;
    if (!first) return { kind: 'empty' };
    let result: SendResult = { kind: 'empty' };
    for (const variant of [...variants, { text: first.text, blocks: [] }]) {
      result = await attempt(async () => send(await clients(stored.teamId), variant));
      if (result.kind !== 'rejected') break;
    }
    return result;
  }

  return {
    async post(stored) {
      const kind = kindOf(stored);
      const { channel, threadTs } = stored;
      const thread = threadTs === null ? {} : { thread_ts: threadTs };
      const result = await sendFirst(stored, async (client, message) => {
        if (kind.send) return kind.send(stored, message).then(() => null);
        const metadata = toMetadata(stored);
        return requirePosted(await client.chat.postMessage({ channel, ...thread, ...message, metadata }));
      });
      if (result.kind === 'sent' && stored.movedFrom !== null)
        await kind.onMoved?.(stored).catch(() => undefined);
      // A new message can't be missing, so this error counts as a rejection.
      return result.kind === 'gone' ? { ...result, kind: 'rejected' } : result;
    },

    async edit(stored, { channel, ts }) {
      const result = await sendFirst(stored, async (client, message) => {
        await client.chat.update({ channel, ts, ...message });
        return { channel, ts };
      });
      const staysDeleted =
        result.kind === 'gone' && result.reason === deletedError && !kindOf(stored).isNeeded?.(stored);
      return staysDeleted ? { kind: 'empty' } : result;
    },

    remove: ({ teamId }, { channel, ts }) =>
      attempt(async () => {
        await (await clients(teamId)).chat.delete({ channel, ts });
        return null;
      }),

    async find(stored, postingMs): Promise<FindResult> {
      const { teamId, channel, threadTs } = stored;
      const isPerson = /^[UW]/.test(channel);
      const conversation = isPerson ? await findConversation(teamId, channel) : channel;
      if (conversation === undefined || kindOf(stored).send) return { kind: 'unreadable' };
      const client = await clients(teamId);
      const metadata = toMetadata(stored);
      try {
        const found = await (threadTs === null
          ? findOwnMessage(client, conversation, metadata, postingMs)
          : findOwnReply(client, conversation, threadTs, metadata, postingMs));
        return found.kind === 'found'
          ? { kind: 'found', ref: { channel: conversation, ts: found.ts } }
          : found;
      } catch (error) {
        if (error instanceof webApi.WebAPIRateLimitedError) return toLimited(error);
        throw error;
      }
    },
  };
}

/** Makes a call to Slack. Throws if it's unknown whether the call took effect. */
async function attempt(call: () => Promise<MessageRef | null>): Promise<SendResult> {
  try {
    return { kind: 'sent', ref: await call() };
  } catch (error) {
    if (error instanceof RackhandError && error.code === 'not_installed') return { kind: 'notInstalled' };
    if (error instanceof webApi.WebAPIRateLimitedError) return toLimited(error);
    // A rejected token is handled elsewhere and may be replaced.
    if (wasNeverSent(error) || isTokenError(error) || isExpiredTokenError(error)) return { kind: 'away' };
    if (!isSlackPlatformError(error) || isServerError(error)) throw error;
    const reason = error.data.error;
    if (isCannotPostError(error)) return { kind: 'unreachable', reason };
    return { kind: missingMessageErrors.has(reason) ? 'gone' : 'rejected', reason };
  }
}

function toLimited({ retryAfter }: webApi.WebAPIRateLimitedError) {
  return { kind: 'limited', retryInMs: retryAfter * 1_000 } as const;
}

/** Returns the metadata for finding a message again. Every app in the workspace can read it. */
function toMetadata({ key }: StoredMessage): MessageMetadata {
  return { event_type: 'rackhand_message', event_payload: { key } };
}

function formatMoved(channel: string): string {
  return /^[UW]/.test(channel)
    ? "You're seeing this because Rackhand can't message the person it was for."
    : "You're seeing this because I can't post in the channel it was for. Run /invite @Rackhand there so that your team sees it.";
}
