import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../../../db/engines/database.ts';
import type { Destination } from '../../../messages/message.ts';
import type { Outbox } from '../../../messages/outbox.ts';
import { createPostOutcome } from '../../../messages/post-outcome.ts';
import type { Outcome } from '../../../operations/define/outcome.ts';
import type { Report } from '../report.ts';
import type { ReportSummary, VpsDetail } from '../summary/fleet/fleet-summary.ts';
import type { CsvFile } from '../summary/fleet/fleet-table.ts';

/** The kinds of messages that one occurrence of a report sends. */
export const reportKinds = { report: 'report', details: 'report-details', csv: 'report-csv' } as const;

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

/** A report's message. Its chart has already been uploaded. */
export const reportMessageContent = z.object({
  outcome: z.custom<Outcome>(isObject),
  imageFileId: z.string().optional(),
  dueMs: z.number(),
  zone: z.string(),
});

/** A message in a report's thread, with the findings on some of the VPS. */
export const detailsContent = z.object({ details: z.array(z.custom<VpsDetail>(isObject)) });

export const csvContent = z.object({ fileName: z.string(), text: z.string() });

/** Maximum VPS per message. Phones collapse longer messages. */
const vpsPerMessage = 5;

interface ReportMessage {
  readonly outcome: Outcome;
  readonly imageFileId?: string | undefined;
  /** The content of the message's thread. */
  readonly thread?: Pick<ReportSummary, 'details' | 'csv'>;
}

/** Posts a report and its thread in the transaction that finishes the occurrence. */
export async function putReport(
  { put }: Pick<Outbox, 'put'>,
  { id, teamId, channel, name, timing }: Report,
  dueMs: number,
  { outcome, imageFileId, thread }: ReportMessage,
  transaction: Database,
): Promise<void> {
  const key = `${reportKinds.report}:${id}:${dueMs}`;
  const about = `Report "${name}"`;
  const content = { outcome, imageFileId, dueMs, zone: timing.zone };
  await put(key, { teamId, channel }, { kind: reportKinds.report, content, about }, transaction);
  const details = thread?.details ?? [];
  for (let start = 0; start < details.length; start += vpsPerMessage) {
    const part = { details: details.slice(start, start + vpsPerMessage) };
    await put(
      `${key}:details:${start}`,
      { teamId, channel, threadKey: key },
      { kind: reportKinds.details, content: part, about },
      transaction,
    );
  }
  if (thread?.csv)
    await put(`${key}:csv`, { teamId, channel, threadKey: key }, toCsvState(thread.csv), transaction);
}

const toCsvState = (csv: CsvFile) => ({ kind: reportKinds.csv, content: csv, about: csv.fileName });

/**
 * Sends a person a CSV file, preceded by a message. To share a file, Slack needs the conversation's ID,
 * which only the response to a message contains.
 */
export const sendCsv = ({ put, transact }: Pick<Outbox, 'put' | 'transact'>, to: Destination, csv: CsvFile) =>
  transact(async (transaction) => {
    const key = `${reportKinds.csv}:${randomUUID()}`;
    await createPostOutcome({ put })(key, to, { title: `Full table: ${csv.fileName}` }, { transaction });
    await put(`${key}:file`, { ...to, threadKey: key }, toCsvState(csv), transaction);
  });
