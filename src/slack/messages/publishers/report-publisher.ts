import type { FindChannelSteps } from '../../../auth/channel-steps.ts';
import type {
  ReportPostKey,
  ReportPublisher,
} from '../../../monitoring/reports/delivery/report-publisher.ts';
import type { CsvFile } from '../../../monitoring/reports/summary/csv.ts';
import type { VpsDetail } from '../../../monitoring/reports/summary/fleet/fleet-summary.ts';
import type { ChannelRef, PostResult } from '../../../monitoring/shared/channel-publisher.ts';
import type { Actor } from '../../../operations/define/access/actor.ts';
import { keepPermittedSteps } from '../../../operations/define/access/permitted-steps.ts';
import { buttonRow, headingBlock, noteBlocks, stepButtons } from '../../blocks/elements/blocks.ts';
import { fitMessage } from '../../blocks/elements/fit-message.ts';
import { notificationText } from '../../blocks/elements/text.ts';
import type { Message } from '../../blocks/message.ts';
import { renderNotice } from '../../blocks/notice.ts';
import { renderOutcome } from '../../blocks/outcome.ts';
import type { ChartImages } from '../../client/chart-images.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { isCannotPostError } from '../../client/slack-errors.ts';
import { uploadFile } from '../../client/upload-file.ts';
import { findOwnMessage, hasMetadata, listOwnReplies, type MessageMetadata } from '../own-messages.ts';
import { attemptPost } from '../post-attempt.ts';
import { requirePosted } from '../require-posted.ts';

interface ReportPublisherDependencies {
  /**
   * Clients that reject a call on a 429, so that only the report has to wait and not the whole
   * workspace.
   */
  readonly clients: SlackClients;
  /** Clients that wait after a 429. Used for threads and direct messages. */
  readonly retryingClients: SlackClients;
  readonly chartImages: ChartImages;
  readonly findChannelSteps: FindChannelSteps;
}

export function createReportPublisher({
  clients,
  retryingClients,
  chartImages,
  findChannelSteps,
}: ReportPublisherDependencies): ReportPublisher {
  const postMessage = (
    { teamId, channel }: ChannelRef,
    message: Message & { readonly metadata?: MessageMetadata },
  ): Promise<PostResult> =>
    attemptPost(clients, teamId, (client) => client.chat.postMessage({ channel, ...message }));

  async function sendMessage({ teamId, userId }: Actor, message: Message) {
    const client = await retryingClients(teamId);
    const { channel } = requirePosted(await client.chat.postMessage({ channel: userId, ...message }));
    return { client, channel };
  }

  return {
    async uploadChart(teamId, chart) {
      const upload = await chartImages.upload(chart, teamId, { isScheduled: true });
      return 'fileId' in upload ? upload.fileId : undefined;
    },

    async post(channelRef, { outcome, imageFileId, key }) {
      const permitted = keepPermittedSteps(outcome, await findChannelSteps(channelRef));
      const renderPost = (id?: string) => ({
        ...renderOutcome(permitted, { isUnpaged: true, ...(id !== undefined && { imageFileId: id }) }),
        metadata: toMetadata(key),
      });
      const posted = await postMessage(channelRef, renderPost(imageFileId));
      // A rejected message wasn't posted. Its image could be the reason.
      const mayBeDueToImage = imageFileId !== undefined && posted.kind === 'rejected';
      return mayBeDueToImage ? postMessage(channelRef, renderPost()) : posted;
    },

    async findPost({ teamId, channel }, key, postingMs) {
      const client = await retryingClients(teamId);
      return findOwnMessage(client, channel, toMetadata(key), postingMs);
    },

    async replyInThread(channelRef, { ts, key, mayHaveReplies }, details, csv) {
      const { teamId, channel } = channelRef;
      const isPermitted = await findChannelSteps(channelRef);
      const client = await retryingClients(teamId);
      const replies = mayHaveReplies ? await listOwnReplies(client, channel, ts) : [];
      for (const [part, message] of renderReportDetails(
        details.map((detail) => keepPermittedSteps(detail, isPermitted)),
      ).entries()) {
        const metadata = toMetadata(key, part);
        if (replies.some((reply) => hasMetadata(reply, metadata))) continue;
        await client.chat.postMessage({ channel, thread_ts: ts, ...message, metadata });
      }
      const isFileThere = replies.some(({ files }) => files.length > 0);
      if (csv && !isFileThere) await uploadFile(client, toSlackFile(csv), channel, ts);
    },

    postText: (channelRef, text) => postMessage(channelRef, renderNotice(text)),

    async sendDirectMessage(person, outcome) {
      try {
        await sendMessage(person, renderOutcome(outcome, {}));
        return true;
      } catch (error) {
        // A retry would fail in the same way.
        if (!isCannotPostError(error)) throw error;
        return false;
      }
    },

    async sendFile(person, csv) {
      const { client, channel } = await sendMessage(person, renderNotice(`Full table: ${csv.fileName}`));
      await uploadFile(client, toSlackFile(csv), channel);
    },
  };
}

/**
 * Returns the metadata by which a report's post, or a numbered part of its thread, can be found
 * again.
 */
function toMetadata({ reportId, dueMs }: ReportPostKey, part?: number): MessageMetadata {
  const payload = { report_id: reportId, due_ms: dueMs };
  return part === undefined
    ? { event_type: 'rackhand_report', event_payload: payload }
    : { event_type: 'rackhand_report_detail', event_payload: { ...payload, part } };
}

function toSlackFile({ fileName, text }: CsvFile) {
  return { name: fileName, title: fileName, content: new TextEncoder().encode(text) };
}

/** VPS per message. A phone shows this many without collapsing the message. */
const vpsPerMessage = 5;

/** Renders a report's findings, VPS by VPS, in as few messages as possible. */
function renderReportDetails(details: readonly VpsDetail[]): readonly Message[] {
  const starts = details.flatMap((_, index) => (index % vpsPerMessage === 0 ? [index] : []));
  return starts.map((start) => {
    const part = details.slice(start, start + vpsPerMessage);
    return {
      text: notificationText(part.map(({ title }) => title).join('; ')),
      blocks: fitMessage(
        part.flatMap(({ title, lines, next }) => [
          headingBlock(title),
          ...noteBlocks(lines),
          ...buttonRow(stepButtons(next)),
        ]),
      ),
    };
  });
}
