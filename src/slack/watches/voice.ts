import { webApi } from '@slack/bolt';
import { RackhandError } from '../../error.ts';
import type { ReportVoice, Spoken } from '../../reports/voice.ts';
import type { Edited, IncidentMark, WatchVoice } from '../../watches/voice.ts';
import type { SlackClient, SlackClients } from '../clients.ts';
import { findOwnMessage, type MessageMark } from '../own-messages.ts';
import { renderOutcome } from '../render/outcome.ts';
import { cannotSpeakThere, isRefusedBySlack } from '../slack-error.ts';

interface WatchVoiceParts {
  /** Clients that fail at once where Slack wants a pause: it is that channel's watches that wait, and not the workspace. */
  readonly clients: SlackClients;
  readonly reportVoice: Pick<ReportVoice, 'say' | 'tellPerson'>;
}

/** Slack's answers that mean: the message is not there, or is not to be changed any more. */
const noMessage: ReadonlySet<string> = new Set([
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
]);

/** Creates what speaks for watches. */
export function createWatchVoice({ clients, reportVoice }: WatchVoiceParts): WatchVoice {
  async function attempt(
    teamId: string,
    speak: (client: SlackClient) => Promise<{ ts?: string | undefined }>,
  ): Promise<Spoken> {
    try {
      const { ts } = await speak(await clients(teamId));
      if (ts === undefined) throw new Error('Slack took a message without saying where');
      return { ts };
    } catch (error) {
      const isRemoved = error instanceof RackhandError && error.code === 'not_installed';
      if (isRemoved || cannotSpeakThere(error)) return 'gone';
      if (error instanceof webApi.WebAPIRateLimitedError) return { againInMs: error.retryAfter * 1_000 };
      throw error;
    }
  }

  return {
    post: ({ teamId, channel }, mark, outcome) =>
      attempt(teamId, (client) =>
        client.chat.postMessage({
          channel,
          ...renderOutcome(outcome, { isUnpaged: true }),
          metadata: metadataOf(mark),
        }),
      ),

    async find({ teamId, channel }, mark, postingMs) {
      return findOwnMessage(await clients(teamId), channel, metadataOf(mark), postingMs);
    },

    async edit({ teamId, channel }, ts, outcome): Promise<Edited> {
      try {
        return await attempt(teamId, (client) =>
          client.chat.update({ channel, ts, ...renderOutcome(outcome, { isUnpaged: true }) }),
        );
      } catch (error) {
        if (isRefusedBySlack(error) && noMessage.has(error.data.error)) return 'missing';
        throw error;
      }
    },

    reply: ({ teamId, channel }, ts, outcome) =>
      attempt(teamId, (client) =>
        client.chat.postMessage({
          channel,
          thread_ts: ts,
          ...renderOutcome(outcome, { isUnpaged: true }),
        }),
      ),

    say: reportVoice.say,
    tellPerson: reportVoice.tellPerson,
  };
}

function metadataOf({ watchId, beganMs }: IncidentMark): MessageMark {
  return { event_type: 'rackhand_watch', event_payload: { watch_id: watchId, began_ms: beganMs } };
}
