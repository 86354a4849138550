import type { Read } from '../operations/operation.ts';
import { fitsOneOf } from '../workspaces/rights/patterns.ts';
import { type Collecting, collect, collectReadings } from './collection.ts';
import type { ReportContent } from './content.ts';
import type { HoursOfTeam } from './history/hours-store.ts';
import type { Period } from './summary/course.ts';
import { shouldPost, summarizeFleet } from './summary/fleet-summary.ts';
import { summarizeVps } from './summary/one-vps.ts';
import type { ReportSummary } from './summary/report-summary.ts';
import type { Reported } from './summary/reported.ts';
import type { VpsReadings } from './summary/vps-report.ts';

/** What a report is made of. */
export interface Making {
  readonly name: string;
  readonly content: Pick<ReportContent, 'about' | 'vps' | 'settings'>;
  readonly period: Period;
  /** IANA name. */
  readonly timeZone: string;
  readonly read: Read;
  readonly hours: HoursOfTeam;
  /** Until when VPS are muted, by their names. */
  readonly muted: ReadonlyMap<string, number>;
  /** Whether a VPS may be told of; all unless given. */
  readonly maySee?: (vps: string) => boolean;
  readonly last?: Reported | undefined;
  readonly signal?: AbortSignal;
  /** Told how many of the VPS that are meant have been read. */
  readonly onRead?: (done: number, all: number) => void;
}

export interface Made {
  readonly summary: ReportSummary;
  /** Whether it is to be posted, by the settings of the report. */
  readonly isWorthPosting: boolean;
}

/** Reads what a report tells of, and makes it. Rejects where the list of VPS cannot be read, or the key is not accepted. */
export async function makeReport(making: Making): Promise<Made> {
  const { content, maySee = () => true } = making;
  const isMeant = (vps: string) => fitsOneOf(content.vps, vps) && maySee(vps);
  const collecting = { ...making, settings: content.settings, isMeant };
  return content.about === 'vps' ? makeVpsReport(making, collecting) : makeFleetReport(making, collecting);
}

async function makeFleetReport(making: Making, collecting: Collecting): Promise<Made> {
  const { name, content, period, timeZone, last, muted } = making;
  const { reports, mayHaveMore } = await collect(collecting);
  const summary = summarizeFleet({ name, reports, period, timeZone, last, muted });
  const notes = mayHaveMore
    ? ['The service hints at further pages: there may be more VPS than these.', ...summary.notes]
    : summary.notes;
  const hasUnread = mayHaveMore || reports.some(({ unread }) => unread.length > 0);
  return { summary: { ...summary, notes }, isWorthPosting: shouldPost(summary, content.settings, hasUnread) };
}

async function makeVpsReport({ content, last, muted }: Making, collecting: Collecting): Promise<Made> {
  const { reports } = await collectReadings(collecting, (readings) => readings);
  const [readings = goneReadings(content.vps)] = reports;
  const { hasUnread, ...summary } = summarizeVps(readings, { ...collecting, last, muted });
  return {
    summary: { ...summary, details: [] },
    isWorthPosting: shouldPost(summary, content.settings, hasUnread),
  };
}

/** A VPS that the list lacks is told of all the same: its report must not be silently missing. */
function goneReadings(name: string): VpsReadings {
  return {
    name,
    histories: [],
    unread: [{ what: 'state', why: 'The list of VPS does not have it any more.' }],
  };
}
