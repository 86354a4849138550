import { webApi } from '@slack/bolt';
import type { Logger } from 'pino';
import { RackhandError } from '../../error.ts';
import type { RecordVoice, Told } from '../../workspaces/record/following.ts';
import type { SlackClients } from '../clients.ts';
import type { Message } from '../render/message.ts';
import { renderNews } from '../render/news.ts';
import { renderNotice } from '../render/notice.ts';
import { renderOutcome } from '../render/outcome.ts';
import { cannotSpeakThere } from '../slack-error.ts';
import { slashCommand } from '../slash-command.ts';

/** Pause after Slack failed, before it is tried again: nobody waits for it. */
const againInMs = 15_000;

const greeting = [
  'This channel follows the record from now on: what is changed, refused, granted and connected is told here, and nobody is called by it.',
  `\`${slashCommand} history --to off\` ends it.`,
].join(' ');

/** Creates what tells channels and people of the record; its clients answer at once where Slack wants a pause. */
export function createRecordVoice(clients: SlackClients, log: Pick<Logger, 'warn'>): RecordVoice {
  async function tell(teamId: string, channel: string, message: Message): Promise<Told> {
    try {
      const client = await clients(teamId);
      await client.chat.postMessage({ channel, ...message });
      return 'told';
    } catch (error) {
      const isRemoved = error instanceof RackhandError && error.code === 'not_installed';
      if (isRemoved || cannotSpeakThere(error)) return 'gone';
      if (error instanceof webApi.WebAPIRateLimitedError) return { againInMs: error.retryAfter * 1_000 };
      log.warn({ err: error }, 'a channel could not be told the record; it is tried again');
      return { againInMs };
    }
  }

  return {
    tellChannel: (teamId, channel, news) => tell(teamId, channel, renderNews(news)),
    greet: (teamId, channel) => tell(teamId, channel, renderNotice(greeting)),
    async tellPerson(teamId, userId, outcome) {
      const client = await clients(teamId);
      await client.chat.postMessage({ channel: userId, ...renderOutcome(outcome, {}) });
    },
  };
}
