import type { Actor } from '../../../operations/define/access/actor.ts';
import type { Chart, Outcome } from '../../../operations/define/outcome.ts';
import type { ChannelPublisher, ChannelRef, FindResult, PostResult } from '../../shared/channel-publisher.ts';
import type { CsvFile } from '../summary/csv.ts';
import type { VpsDetail } from '../summary/fleet/fleet-summary.ts';

/** Identifies a post in its metadata by an ID and a time. Contains none of its content. */
export interface ReportPostKey {
  readonly reportId: string;
  readonly dueMs: number;
}

/** A post in its channel. */
export interface PublishedPost {
  readonly ts: string;
  readonly key: ReportPostKey;
  /** Whether the thread may already have replies. */
  readonly mayHaveReplies: boolean;
}

/** The content of a report's post. Its chart is already uploaded. */
export interface ReportPost {
  readonly key: ReportPostKey;
  readonly outcome: Outcome;
  readonly imageFileId?: string | undefined;
}

export interface ReportPublisher extends ChannelPublisher {
  /** Uploads a chart without sharing it. Resolves to undefined if the upload fails. */
  uploadChart(teamId: string, chart: Chart): Promise<string | undefined>;
  /** Posts to a channel. Rejects if it's unknown whether the post arrived. */
  post(channelRef: ChannelRef, reportPost: ReportPost): Promise<PostResult>;
  /**
   * Searches for the post that was being sent at `postingMs`, in case it arrived. Rejects if Slack
   * can't be reached.
   */
  findPost(channelRef: ChannelRef, key: ReportPostKey, postingMs: number): Promise<FindResult>;
  /** Replies in the thread of a post with the findings and the file, unless they are already there. */
  replyInThread(
    channelRef: ChannelRef,
    post: PublishedPost,
    details: readonly VpsDetail[],
    csv: CsvFile | undefined,
  ): Promise<void>;
  /** Sends a file by direct message. */
  sendFile(person: Actor, csv: CsvFile): Promise<void>;
}
