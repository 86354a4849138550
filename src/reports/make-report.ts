import type { Read } from '../operations/operation.ts';
import { fits } from '../workspaces/rights/pattern.ts';
import { collect } from './collection.ts';
import type { ReportContent } from './content.ts';
import type { Period } from './summary/course.ts';
import { type FleetSummary, shouldPost, summarizeFleet } from './summary/fleet-summary.ts';
import type { Reported } from './summary/reported.ts';

/** What a report is made of. */
export interface Making {
  readonly name: string;
  readonly content: Pick<ReportContent, 'vps' | 'settings'>;
  readonly period: Period;
  /** IANA name. */
  readonly timeZone: string;
  readonly read: Read;
  /** Whether a VPS may be told of; all unless given. */
  readonly maySee?: (vps: string) => boolean;
  readonly last?: Reported | undefined;
  readonly signal?: AbortSignal;
}

export interface Made {
  readonly summary: FleetSummary;
  /** Whether it is to be posted, by the settings of the report. */
  readonly isWorthPosting: boolean;
}

/** Reads a fleet and makes its report. Rejects where the list of VPS cannot be read, or the key is not accepted. */
export async function makeReport(making: Making): Promise<Made> {
  const { name, content, period, timeZone, maySee = () => true, last } = making;
  const { settings } = content;
  const isMeant = (vps: string) => fits(content.vps, vps) && maySee(vps);
  const { reports, mayHaveMore } = await collect({ ...making, settings, isMeant });
  const summary = summarizeFleet({ name, reports, period, timeZone, last });
  const notes = mayHaveMore
    ? ['The service hints at further pages: there may be more VPS than these.', ...summary.notes]
    : summary.notes;
  const hasUnread = mayHaveMore || reports.some(({ unread }) => unread.length > 0);
  return { summary: { ...summary, notes }, isWorthPosting: shouldPost(summary, settings, hasUnread) };
}
