import type { Asker, Origin } from '../operations/runs/run.ts';
import type { SlackClients } from './clients.ts';
import { notes } from './render/blocks.ts';
import type { Message } from './render/message.ts';
import { renderNotice } from './render/notice.ts';
import { postToResponseUrl } from './response-url.ts';
import { cannotSpeakThere } from './slack-error.ts';

/** Something that is said until there is more to say. */
export interface ForNow {
  edit(message: Message): Promise<void>;
  remove(): Promise<void>;
}

/** Speaks to the asker, and to nobody else unless it says so. */
export interface Reply {
  /** Says something that only the asker sees, where it was asked. */
  tell(message: Message): Promise<void>;
  /** Says it to everybody in the channel. */
  tellAll(message: Message): Promise<void>;
  /** Says it as a message of the app, which can hold a picture: in the channel where it was asked, or in the asker's direct messages. */
  post(message: Message, to: 'channel' | 'asker'): Promise<void>;
  /** Says something that changes and goes again, where `post` says things. */
  forNow(message: Message, to: 'channel' | 'asker'): Promise<ForNow>;
  /** Puts a message into the place of the one whose button was pressed; says it as a new one where none was. */
  replace(message: Message): Promise<void>;
  /** Takes the message away whose button was pressed. */
  remove(): Promise<void>;
}

/** A reply at a place of Slack, which can say where its answer is instead. */
interface PlacedReply extends Reply {
  /** Says where it was asked that the answer is elsewhere, once; nothing where its asker cannot be reached there. */
  point(words: string): Promise<void>;
}

interface Place {
  readonly asker: Asker;
  readonly origin: Origin;
  /** Of a button: its response URL replaces and deletes the message that it stands in. */
  readonly clickedUrl?: string;
}

/** Small print where the app cannot speak in the channel in which it was asked. */
export const inviteNote =
  'This is here because the app is not in the channel where you asked: /invite @Rackhand there, and the team sees it.';

/** Where the answer is when it was asked in a channel: for nobody but its asker, or because the app is not in the channel. */
export const inDirectWords = {
  plain: 'It is in your direct messages with me.',
  invite: 'It is in your direct messages with me; /invite @Rackhand here, and the team sees it.',
} as const;

/** Where the answer will be when it was asked in a channel and is for nobody but its asker. */
const elsewhereWords = '⏳ This takes a while: my direct message to you shows how far it has come.';

/** Creates what speaks to the person at a place. */
export function createReply(clients: SlackClients, { asker, origin, clickedUrl }: Place): PlacedReply {
  const thread = origin.threadTs === undefined ? {} : { thread_ts: origin.threadTs };
  const url = clickedUrl ?? origin.responseUrl;

  /** There are other ways to speak where this one is over. */
  const respond = async (body: Readonly<Record<string, unknown>>) =>
    url !== undefined && (await postToResponseUrl(url, { ...thread, ...body }));

  const respondAlone = (message: Message) =>
    respond({ response_type: 'ephemeral', replace_original: false, ...message });

  let isPointed = false;

  /** Says it to the asker in the channel; `false` where the app cannot speak there. */
  async function whisper(message: Message): Promise<boolean> {
    const { channel } = origin;
    if (channel === undefined) return false;
    const client = await clients(asker.teamId);
    try {
      await client.chat.postEphemeral({ channel, user: asker.userId, ...thread, ...message });
      return true;
    } catch (error) {
      if (!cannotSpeakThere(error)) throw error;
      return false;
    }
  }

  async function tellDirectly(message: Message): Promise<void> {
    if (await whisper(message)) return;
    const client = await clients(asker.teamId);
    await client.chat.postMessage({ channel: asker.userId, ...message });
  }

  async function point(words: string): Promise<void> {
    if (isPointed) return;
    isPointed = true;
    const message = renderNotice(words);
    // The answer is there all the same.
    if (!(await respondAlone(message))) await whisper(message).catch(() => false);
  }

  const isElsewhere = (channel: string | undefined) =>
    origin.channel !== undefined && origin.channel !== channel;

  async function post(message: Message, to: 'channel' | 'asker') {
    const client = await clients(asker.teamId);
    const { channel } = origin;
    const postDirectly = (to: Message) => client.chat.postMessage({ channel: asker.userId, ...to });
    if (to === 'asker' || channel === undefined) return postDirectly(message);
    try {
      return await client.chat.postMessage({ channel, ...thread, ...message });
    } catch (error) {
      if (!cannotSpeakThere(error)) throw error;
      return postDirectly({ ...message, blocks: [...message.blocks, ...notes([inviteNote])] });
    }
  }

  const tell = async (message: Message) => {
    if (!(await respondAlone(message))) await tellDirectly(message);
  };

  return {
    tell,
    point,
    async tellAll(message) {
      if (await respond({ response_type: 'in_channel', replace_original: false, ...message })) return;
      if (origin.channel === undefined) return tellDirectly(message);
      const client = await clients(asker.teamId);
      await client.chat.postMessage({ channel: origin.channel, ...thread, ...message });
    },
    async post(message, to) {
      const { channel } = await post(message, to);
      if (isElsewhere(channel)) await point(to === 'asker' ? inDirectWords.plain : inDirectWords.invite);
    },
    async forNow(message, to) {
      const client = await clients(asker.teamId);
      const { channel, ts } = await post(message, to);
      if (channel === undefined || ts === undefined)
        throw new Error('Slack posted a message without saying where');
      if (isElsewhere(channel)) await point(elsewhereWords);
      return {
        async edit(next) {
          await client.chat.update({ channel, ts, ...next });
        },
        async remove() {
          await client.chat.delete({ channel, ts });
        },
      };
    },
    async replace(message) {
      if (clickedUrl === undefined || !(await respond({ replace_original: true, ...message })))
        await tell(message);
    },
    async remove() {
      if (clickedUrl !== undefined) await respond({ delete_original: true });
    },
  };
}
