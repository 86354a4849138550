import { webApi } from '@slack/bolt';
import { RackhandError } from '../../error.ts';
import type { Asker } from '../../operations/runs/run.ts';
import type { Csv } from '../../reports/summary/csv.ts';
import type { ReportPlace, ReportVoice, Spoken } from '../../reports/voice.ts';
import type { SlackClients } from '../clients.ts';
import { uploadFile } from '../files.ts';
import type { Pictures } from '../pictures.ts';
import type { Message } from '../render/message.ts';
import { renderNotice } from '../render/notice.ts';
import { renderOutcome } from '../render/outcome.ts';
import { cannotSpeakThere, isRefusedBySlack } from '../slack-error.ts';
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
  async function speak({ teamId, channel }: ReportPlace, message: Message): Promise<Spoken> {
    try {
      const client = await clients(teamId);
      const { ts } = await client.chat.postMessage({ channel, ...message });
      if (ts === undefined) throw new Error('Slack posted a message without saying where');
      return { ts };
    } catch (error) {
      const isRemoved = error instanceof RackhandError && error.code === 'not_installed';
      if (isRemoved || cannotSpeakThere(error)) return 'gone';
      if (error instanceof webApi.WebAPIRateLimitedError) return { againInMs: error.retryAfter * 1_000 };
      throw error;
    }
  }

  async function tellDirectly({ teamId, userId }: Asker, message: Message) {
    const client = await patientClients(teamId);
    const { channel } = await client.chat.postMessage({ channel: userId, ...message });
    return { client, channel };
  }

  return {
    upload: (teamId, chart) => pictures.upload(chart, teamId),

    async post(place, { outcome, pictureId }) {
      const withPicture = (id?: string) =>
        renderOutcome(outcome, { isUnpaged: true, ...(id !== undefined && { pictureId: id }) });
      if (pictureId === undefined) return speak(place, withPicture());
      try {
        return await speak(place, withPicture(pictureId));
      } catch (error) {
        // What Slack refuses it has not posted: it may be the picture that it does not take.
        if (!isRefusedBySlack(error)) throw error;
        return speak(place, withPicture());
      }
    },

    async follow({ teamId, channel }, ts, details, csv) {
      const client = await patientClients(teamId);
      const thread = { channel, thread_ts: ts };
      for (const message of renderDetails(details)) await client.chat.postMessage({ ...thread, ...message });
      if (csv) await uploadFile(client, fileOf(csv), channel, ts);
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

function fileOf({ fileName, text }: Csv) {
  return { name: fileName, title: fileName, content: new TextEncoder().encode(text) };
}
