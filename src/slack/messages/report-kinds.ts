import type { FindChannelSteps } from '../../auth/channel-steps.ts';
import { lateNotes } from '../../monitoring/reports/delivery/format-delivery.ts';
import {
  csvContent,
  detailsContent,
  reportKinds,
  reportMessageContent,
} from '../../monitoring/reports/delivery/report-messages.ts';
import type { VpsDetail } from '../../monitoring/reports/summary/fleet/fleet-summary.ts';
import { keepPermittedSteps } from '../../operations/define/access/permitted-steps.ts';
import { buttonRow, headingBlock, noteBlocks, stepButtons } from '../blocks/elements/blocks.ts';
import { fitMessage } from '../blocks/elements/fit-message.ts';
import { notificationText } from '../blocks/elements/text.ts';
import type { Message } from '../blocks/message.ts';
import { renderNotice } from '../blocks/notice.ts';
import { renderOutcome } from '../blocks/outcome.ts';
import type { SlackClients } from '../client/slack-clients.ts';
import { uploadFile } from '../client/upload-file.ts';
import type { MessageKind } from './transport.ts';

interface ReportKindsDependencies {
  readonly clients: SlackClients;
  readonly findChannelSteps: FindChannelSteps;
  readonly now: () => number;
}

/** Creates the kinds of messages for reports: the post with its picture, and the replies in its thread. */
export function createReportKinds({
  clients,
  findChannelSteps,
  now,
}: ReportKindsDependencies): Readonly<Record<string, MessageKind>> {
  return {
    [reportKinds.report]: {
      async render({ teamId, channel, content, postedMs }) {
        const { outcome, imageFileId, dueMs, zone } = reportMessageContent.parse(content);
        // Editing a report that was posted on time doesn't make it late.
        const notes = [...lateNotes(dueMs, zone, postedMs ?? now()), ...(outcome.notes ?? [])];
        const permitted = keepPermittedSteps(
          { ...outcome, notes },
          await findChannelSteps({ teamId, channel }),
        );
        const plain = renderOutcome(permitted, { isUnpaged: true });
        // If Slack rejects the message because of the image, the variant without the image is sent.
        return imageFileId === undefined
          ? [plain]
          : [renderOutcome(permitted, { isUnpaged: true, imageFileId }), plain];
      },
    },
    [reportKinds.details]: {
      async render({ teamId, channel, content }) {
        const isPermitted = await findChannelSteps({ teamId, channel });
        const { details } = detailsContent.parse(content);
        return [renderDetails(details.map((detail) => keepPermittedSteps(detail, isPermitted)))];
      },
    },
    [reportKinds.csv]: {
      render: async ({ content }) => [renderNotice(`Full table: ${csvContent.parse(content).fileName}`)],
      async send({ teamId, channel, threadTs, content, mayRepeat }) {
        const { fileName, text } = csvContent.parse(content);
        const client = await clients(teamId);
        const title = mayRepeat ? `${fileName} (may be a repeat)` : fileName;
        const file = { name: fileName, title, content: new TextEncoder().encode(text) };
        await uploadFile(client, file, channel, threadTs ?? undefined);
      },
    },
  };
}

function renderDetails(details: readonly VpsDetail[]): Message {
  return {
    text: notificationText(details.map(({ title }) => title).join('; ')),
    blocks: fitMessage(
      details.flatMap(({ title, lines, next }) => [
        headingBlock(title),
        ...noteBlocks(lines),
        ...buttonRow(stepButtons(next)),
      ]),
    ),
  };
}
