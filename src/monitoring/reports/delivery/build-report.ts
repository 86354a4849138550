import type { Read } from '../../../operations/define/read.ts';
import {
  createVpsLabeler,
  labelOutcome,
  shortenUniqueLabels,
  type VpsLabels,
} from '../../../operations/format/label-vps.ts';
import type { Period } from '../../../time/periods.ts';
import { formatAlertDigest, type ReportedAlert } from '../../shared/alert-digest.ts';
import { noSilence, type Silence } from '../../shared/silence.ts';
import { isVpsSelected, type SelectableVps } from '../../shared/vps-selection.ts';
import type { ReportContent } from '../planning/report-plan.ts';
import type { ReportBaseline } from '../summary/baseline.ts';
import { type ReportSummary, shouldPost, summarizeFleet } from '../summary/fleet/fleet-summary.ts';
import type { VpsReadings } from '../summary/vps-report.ts';
import { summarizeVps } from '../summary/vps-summary.ts';
import { type CollectOptions, collectFleet, collectFleetReadings } from './collect-fleet.ts';

export interface BuildReportOptions {
  readonly name: string;
  readonly content: Pick<ReportContent, 'about' | 'vps' | 'settings'>;
  readonly period: Period;
  readonly timeZone: string;
  readonly read: Read;
  /** The team's aliases, by VPS name. */
  readonly ownAliases: ReadonlyMap<string, string>;
  /** Findings on silenced VPS are left out, because someone is working on those VPS. */
  readonly silence?: Silence;
  /** The alerts in the period. Undefined if there are no watches or the report doesn't include alerts. */
  readonly alerts?: readonly ReportedAlert[] | undefined;
  /** Returns whether the reader can view a VPS. By default, all VPS can be viewed. */
  readonly canView?: (vps: string) => boolean;
  readonly last?: ReportBaseline | undefined;
  readonly onSelected?: CollectOptions['onSelected'];
  readonly signal?: AbortSignal;
  /** Called with the number of selected VPS read so far, and the number of all selected VPS. */
  readonly onProgress?: (done: number, all: number) => void;
}

export interface BuiltReport {
  readonly summary: ReportSummary;
  /** Whether to post the report according to its settings. */
  readonly isWorthPosting: boolean;
}

/** Reads a fleet or VPS, and builds the report. Rejects if the VPS can't be listed or the API key is rejected. */
export async function buildReport(options: BuildReportOptions): Promise<BuiltReport> {
  const { content, canView = () => true, silence = noSilence } = options;
  const inMaintenance = new Map<string, number>();
  const isSelected = (vps: SelectableVps) => {
    const untilMs = silence.untilMs(vps);
    if (untilMs !== undefined) inMaintenance.set(vps.name, untilMs);
    return isVpsSelected(content.vps, vps) && canView(vps.name);
  };
  const collectOptions = { ...options, settings: content.settings, isSelected };
  return content.about === 'vps'
    ? buildVpsInDepthReport(options, collectOptions, inMaintenance)
    : buildFleetReport(options, collectOptions, inMaintenance);
}

async function buildFleetReport(
  options: BuildReportOptions,
  collectOptions: CollectOptions,
  inMaintenance: ReadonlyMap<string, number>,
): Promise<BuiltReport> {
  const { name, content, period, timeZone, last, alerts } = options;
  const { reports, mayHaveMore, labels } = await collectFleet(collectOptions);
  const summary = summarizeFleet({ name, reports, period, timeZone, last, inMaintenance });
  const digest = formatAlertDigest(
    alerts,
    reports.map((report) => report.name),
  );
  const facts = [...summary.facts, ...digest.facts];
  const notes = mayHaveMore
    ? [
        "This report may be incomplete: Rackhand couldn't read the full list of VPS.",
        ...digest.notes,
        ...summary.notes,
      ]
    : [...digest.notes, ...summary.notes];
  const hasUnread = mayHaveMore || reports.some(({ readFailures }) => readFailures.length > 0);
  return {
    summary: labelSummary({ ...summary, facts, notes }, labels),
    isWorthPosting: shouldPost(summary, content.settings, hasUnread),
  };
}

async function buildVpsInDepthReport(
  { content, last, alerts }: BuildReportOptions,
  collectOptions: CollectOptions,
  inMaintenance: ReadonlyMap<string, number>,
): Promise<BuiltReport> {
  const { reports, labels } = await collectFleetReadings(collectOptions, (readings) => readings);
  const [readings = missingVpsReadings(content.vps)] = reports;
  const digest = formatAlertDigest(alerts, [readings.name]);
  const { hasUnread, ...summary } = summarizeVps(readings, {
    ...collectOptions,
    last,
    inMaintenance,
  });
  return {
    summary: labelSummary(
      {
        ...summary,
        facts: [...summary.facts, ...digest.facts],
        notes: [...digest.notes, ...summary.notes],
        details: [],
      },
      labels,
    ),
    isWorthPosting: shouldPost(summary, content.settings, hasUnread),
  };
}

/** Returns readings that report a VPS as missing from the list. */
function missingVpsReadings(name: string): VpsReadings {
  return {
    name,
    histories: [],
    readFailures: [{ what: 'state', reason: 'The VPS is no longer in the list.' }],
  };
}

/**
 * Replaces VPS names in a report's texts with labels: `web-01 (VPS-10001)` in findings and in the thread, `web-01`
 * elsewhere. The baseline and the buttons' input keep the VPS names.
 */
export function labelSummary(summary: ReportSummary, labels: VpsLabels): ReportSummary {
  const label = createVpsLabeler(labels);
  return {
    ...labelOutcome(summary, shortenUniqueLabels(labels)),
    ...(summary.details.length === 0 && { title: label(summary.title) }),
    details: summary.details.map((detail) => ({
      ...detail,
      vps: label(detail.vps),
      title: label(detail.title),
      lines: detail.lines.map(label),
    })),
  };
}
