import type { ReportVoice } from '../../reports/voice.ts';
import type { Edited, IncidentMark, WatchVoice } from '../../watches/voice.ts';
import type { SlackClients } from '../clients.ts';
import { findOwnMessage, type MessageMark } from '../own-messages.ts';
import { renderOutcome } from '../render/outcome.ts';
import { speakIn } from '../speaking.ts';

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
  return {
    post: ({ teamId, channel }, mark, outcome) =>
      speakIn(clients, teamId, (client) =>
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
      const edited = await speakIn(clients, teamId, (client) =>
        client.chat.update({ channel, ts, ...renderOutcome(outcome, { isUnpaged: true }) }),
      );
      const isMissing =
        typeof edited === 'object' && 'refusedAs' in edited && noMessage.has(edited.refusedAs);
      return isMissing ? 'missing' : edited;
    },

    reply: ({ teamId, channel }, ts, outcome) =>
      speakIn(clients, teamId, (client) =>
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
