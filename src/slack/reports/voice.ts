import type { Asker } from '../../operations/runs/run.ts';
import type { Csv } from '../../reports/summary/csv.ts';
import type { PostMark, ReportPlace, ReportVoice, Spoken } from '../../reports/voice.ts';
import type { SlackClients } from '../clients.ts';
import { uploadFile } from '../files.ts';
import { findOwnMessage, hasMark, type MessageMark, ownReplies } from '../own-messages.ts';
import type { Pictures } from '../pictures.ts';
import type { Message } from '../render/message.ts';
import { renderNotice } from '../render/notice.ts';
import { renderOutcome } from '../render/outcome.ts';
import { speakIn } from '../speaking.ts';
import { renderDetails } from './details.ts';

interface ReportVoiceParts {
  /** Clients that fail at once where Slack wants a pause: it is the report that waits, and not the workspace. */
  readonly clients: SlackClients;
  /** Clients that wait as Slack wants it, for what comes after a report and to people. */
  readonly patientClients: SlackClients;
  readonly pictures: Pictures;
}

/** Creates what speaks for reports. */
export function createReportVoice({ clients, patientClients, pictures }: ReportVoiceParts): ReportVoice {
  const speak = (
    { teamId, channel }: ReportPlace,
    message: Message & { readonly metadata?: MessageMark },
  ): Promise<Spoken> =>
    speakIn(clients, teamId, (client) => client.chat.postMessage({ channel, ...message }));

  async function tellDirectly({ teamId, userId }: Asker, message: Message) {
    const client = await patientClients(teamId);
    const { channel } = await client.chat.postMessage({ channel: userId, ...message });
    return { client, channel };
  }

  return {
    upload: (teamId, chart) => pictures.upload(chart, teamId),

    async post(place, { outcome, pictureId, mark }) {
      const withPicture = (id?: string) => ({
        ...renderOutcome(outcome, { isUnpaged: true, ...(id !== undefined && { pictureId: id }) }),
        metadata: metadataOf(mark),
      });
      const spoken = await speak(place, withPicture(pictureId));
      // What Slack refuses it has not posted: it may be the picture that it does not take.
      const mayBeForPicture = pictureId !== undefined && typeof spoken === 'object' && 'refusedAs' in spoken;
      return mayBeForPicture ? speak(place, withPicture()) : spoken;
    },

    async find({ teamId, channel }, mark, postingMs) {
      const client = await patientClients(teamId);
      return findOwnMessage(client, channel, metadataOf(mark), postingMs);
    },

    async follow({ teamId, channel }, { ts, mark, mayBeFollowed }, details, csv) {
      const client = await patientClients(teamId);
      const there = mayBeFollowed ? await ownReplies(client, channel, ts) : [];
      for (const [part, message] of renderDetails(details).entries()) {
        const metadata = metadataOf(mark, part);
        if (there.some((reply) => hasMark(reply, metadata))) continue;
        await client.chat.postMessage({ channel, thread_ts: ts, ...message, metadata });
      }
      const isFileThere = there.some(({ files }) => files.length > 0);
      if (csv && !isFileThere) await uploadFile(client, fileOf(csv), channel, ts);
    },

    say: (place, text) => speak(place, renderNotice(text)),

    async tellPerson(person, outcome) {
      await tellDirectly(person, renderOutcome(outcome, {}));
    },

    async giveFile(person, csv) {
      const { client, channel } = await tellDirectly(
        person,
        renderNotice(`The whole table: ${csv.fileName}`),
      );
      if (channel === undefined) throw new Error('Slack posted a message without saying where');
      await uploadFile(client, fileOf(csv), channel);
    },
  };
}

/** What a report's post is known by, or the part of its thread that a number tells. */
function metadataOf({ reportId, dueMs }: PostMark, part?: number): MessageMark {
  const payload = { report_id: reportId, due_ms: dueMs };
  return part === undefined
    ? { event_type: 'rackhand_report', event_payload: payload }
    : { event_type: 'rackhand_report_detail', event_payload: { ...payload, part } };
}

function fileOf({ fileName, text }: Csv) {
  return { name: fileName, title: fileName, content: new TextEncoder().encode(text) };
}
