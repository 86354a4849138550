import type { NextStep } from '../../operations/define/outcome.ts';
import { findCurrent, findNext, type MaintenanceStore } from '../maintenance/maintenance-store.ts';
import type { ReportStore } from '../reports/report.ts';
import type { BaselineStore, LatestSummary } from '../reports/summary/baseline.ts';
import type { LoadSilence } from '../shared/silence.ts';
import { acknowledgeSteps } from '../watches/delivery/format-alert.ts';
import { isAlertOpen } from '../watches/evaluation/alert.ts';
import type { Watch } from '../watches/watch.ts';
import type { WatchStore } from '../watches/watch-store.ts';

export interface StandingOut {
  readonly vps: string;
  readonly text: string;
  /** The end of the report's period. */
  readonly untilMs: number;
}

/** Maximum age of a report whose findings are shown. Older findings say nothing about the current state. */
const maxAgeMs = 48 * 3_600_000;

/**
 * Lists the VPS that have findings in the latest reports. If several reports cover a VPS, only the newest
 * of these reports counts. `summaries` must be sorted newest first.
 */
export function listStandingOut(
  summaries: readonly LatestSummary[],
  isMuted: (vps: string) => boolean,
  nowMs: number,
): readonly StandingOut[] {
  const reported = new Set<string>();
  return summaries.flatMap(({ untilMs, vps, standsOut = [] }) => {
    if (nowMs - untilMs > maxAgeMs) return [];
    const found = standsOut.filter((finding) => !reported.has(finding.vps) && !isMuted(finding.vps));
    for (const name of Object.keys(vps)) reported.add(name);
    return found.map((finding) => ({ ...finding, untilMs }));
  });
}

export interface OpenAlert {
  readonly watchName: string;
  readonly vps: readonly string[];
  readonly beganMs: number;
  /** The assignee or, if there is none, the person who acknowledged the alert. */
  readonly owner: string | null;
  /** Buttons that acknowledge the alert (unless someone already has) and show its watch. */
  readonly steps: readonly NextStep[];
}

/** A report's next occurrence, or a maintenance window's current or next occurrence. */
export interface PlannedEvent {
  readonly kind: 'report' | 'maintenance';
  readonly name: string;
  readonly channel: string;
  readonly fromMs: number;
  /** When the maintenance under way ends; `null` for reports and for maintenance that hasn't begun. */
  readonly untilMs: number | null;
}

/** An overview of a workspace, built without calls to the hosting service. */
export interface MonitoringOverview {
  /** Oldest first. */
  readonly alerts: readonly OpenAlert[];
  readonly standsOut: readonly StandingOut[];
  /** Sorted by start time. */
  readonly planned: readonly PlannedEvent[];
}

export type LoadMonitoringOverview = (teamId: string) => Promise<MonitoringOverview>;

interface OverviewDependencies {
  readonly watches: Pick<WatchStore, 'list'>;
  readonly reports: Pick<ReportStore, 'list'>;
  readonly maintenance: Pick<MaintenanceStore, 'list'>;
  readonly baselines: Pick<BaselineStore, 'listLatest'>;
  readonly loadSilence: LoadSilence;
  readonly now: () => number;
}

export function createMonitoringOverview({
  watches,
  reports,
  maintenance,
  baselines,
  loadSilence,
  now,
}: OverviewDependencies): LoadMonitoringOverview {
  return async (teamId) => {
    const nowMs = now();
    const [watchList, reportList, windows, summaries, silence] = await Promise.all([
      watches.list(teamId),
      reports.list(teamId),
      maintenance.list(teamId),
      baselines.listLatest(teamId),
      loadSilence(teamId, nowMs),
    ]);
    const dueReports = reportList.flatMap(({ name, channel, state, nextMs }): readonly PlannedEvent[] =>
      state.kind === 'active' && nextMs !== null
        ? [{ kind: 'report', name, channel, fromMs: nextMs, untilMs: null }]
        : [],
    );
    const nextWindows = windows.flatMap((window): readonly PlannedEvent[] => {
      const { name, channel } = window;
      if (channel === null || window.state.kind === 'paused') return [];
      const current = findCurrent(window, nowMs);
      const occurrence = current ?? findNext(window, nowMs);
      if (!occurrence) return [];
      const untilMs = current ? current.untilMs : null;
      return [{ kind: 'maintenance', name, channel, fromMs: occurrence.fromMs, untilMs }];
    });
    return {
      alerts: watchList.flatMap(toOpenAlert).sort((a, b) => a.beganMs - b.beganMs),
      standsOut: listStandingOut(summaries, (name) => silence.untilMs({ name }) !== undefined, nowMs),
      planned: [...dueReports, ...nextWindows].sort((a, b) => a.fromMs - b.fromMs),
    };
  };
}

function toOpenAlert(watch: Watch): readonly OpenAlert[] {
  const { name, alertState } = watch;
  const { alert } = alertState;
  if (!alert || !isAlertOpen(alert)) return [];
  const { acknowledged, assignee } = alert.response;
  return [
    {
      watchName: name,
      vps: Object.entries(alert.members).flatMap(([vps, { endedMs }]) => (endedMs === null ? [vps] : [])),
      beganMs: alert.beganMs,
      owner: assignee ?? acknowledged?.userId ?? null,
      steps: [
        ...acknowledgeSteps({ watch, alert }),
        { label: 'Watch', operation: 'watch show', input: { name } },
      ],
    },
  ];
}
