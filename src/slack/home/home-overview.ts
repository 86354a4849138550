import type { LoadMonitoringOverview, OpenAlert, PlannedEvent } from '../../monitoring/overview/overview.ts';
import type { StandingOut } from '../../monitoring/overview/standing-out.ts';
import { type CheckAccess, canViewVps, type ResolveAccess } from '../../operations/define/access/access.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import { findRequiredAccess } from '../../operations/define/access/required-access.ts';
import { listVpsNames, parseInput } from '../../operations/define/arguments/input.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import { keyRequiredAccess } from '../../runs/problem.ts';
import type { Run } from '../../runs/run.ts';
import { formatRunStatus, isInProgress } from '../../runs/run-status.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import type { ListNextScheduledChanges, NextScheduledChange } from '../../schedules/schedules.ts';

const maxRecentRuns = 8;

/** A run with its status text. */
export interface ShownRun {
  readonly run: Run;
  readonly statusText: string;
}

/** A planned event of monitoring, or the next time of a scheduled change. */
export type ShownPlan =
  | PlannedEvent
  | ({ readonly kind: 'change'; readonly fromMs: number } & NextScheduledChange);

/** The part of the App Home that needs no call to the hosting service. */
export interface HomeOverview {
  readonly alerts: readonly OpenAlert[];
  /** The findings of the latest reports. */
  readonly standsOut: readonly StandingOut[];
  /** Runs that the person can approve. */
  readonly approvals: readonly Run[];
  readonly running: readonly ShownRun[];
  readonly planned: readonly ShownPlan[];
  readonly recent: readonly ShownRun[];
  readonly isAdmin: boolean;
}

interface OverviewSources {
  readonly runs: Pick<RunStore, 'listRecent' | 'listAwaitingApproval'>;
  readonly catalogue: Catalogue;
  readonly checkAccess: CheckAccess;
  readonly access: ResolveAccess;
  readonly loadMonitoringOverview: LoadMonitoringOverview;
  readonly listNextScheduledChanges: ListNextScheduledChanges;
  readonly now: () => number;
}

/** Loads the workspace's alerts, runs and plans that a person is allowed to see. */
export async function loadHomeOverview(
  actor: Actor,
  {
    runs,
    catalogue,
    checkAccess,
    access,
    loadMonitoringOverview,
    listNextScheduledChanges,
    now,
  }: OverviewSources,
): Promise<HomeOverview> {
  const { teamId, userId } = actor;
  const [monitoring, scheduled, recent, waiting] = await Promise.all([
    loadMonitoringOverview(teamId),
    listNextScheduledChanges(teamId),
    runs.listRecent(teamId, maxRecentRuns * 5),
    runs.listAwaitingApproval(teamId, now()),
  ]);
  const changes = recent.filter((run) => isVisibleChange(run, catalogue, checkAccess));
  const isRunning = (run: Run) => isInProgress(run, catalogue.find(run.operation));
  const withStatus = (run: Run): ShownRun => ({
    run,
    statusText: formatRunStatus(run, catalogue.find(run.operation)),
  });
  const others = waiting.filter((run) => run.actor.userId !== userId);
  const canApprove = await Promise.all(
    others.map(async (run) => canApproveRun(run, catalogue, await access(actor, run.origin))),
  );
  const canViewAll = checkAccess({ right: 'view', vps: [] }) === undefined;
  const visibleChanges = scheduled
    .filter(({ createdBy }) => canViewAll || createdBy === userId)
    .map((change): ShownPlan => ({ kind: 'change', fromMs: change.atMs, ...change }));
  return {
    alerts: monitoring.alerts.flatMap((alert) => {
      const vps = alert.vps.filter((name) => canViewVps(checkAccess, name));
      return vps.length > 0 ? [{ ...alert, vps }] : [];
    }),
    standsOut: monitoring.standsOut.filter(({ vps }) => canViewVps(checkAccess, vps)),
    approvals: others.filter((_, index) => canApprove[index]),
    running: changes.filter(isRunning).map(withStatus),
    planned: [...(canViewAll ? monitoring.planned : []), ...visibleChanges].sort(
      (a, b) => a.fromMs - b.fromMs,
    ),
    recent: changes
      .filter((run) => !isRunning(run))
      .slice(0, maxRecentRuns)
      .map(withStatus),
    isAdmin: checkAccess(keyRequiredAccess) === undefined,
  };
}

function isVisibleChange(
  { operation: name, input }: Run,
  catalogue: Catalogue,
  checkAccess: CheckAccess,
): boolean {
  const operation = catalogue.find(name);
  if (operation?.kind !== 'change') return false;
  const vps = listVpsNames(operation.arguments, parseInput(operation, input).validFields);
  return checkAccess({ right: 'view', vps }) === undefined;
}

/** Returns whether someone with this access in the place of the request can approve the run. */
function canApproveRun({ operation: name, input }: Run, catalogue: Catalogue, checkAccess: CheckAccess) {
  const operation = catalogue.find(name);
  if (!operation) return false;
  const required = findRequiredAccess(operation, parseInput(operation, input));
  return required === undefined || checkAccess(required) === undefined;
}
