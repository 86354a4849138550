import type { Ask } from '../../asks/ask.ts';
import type {
  LoadMonitoringOverview,
  OpenAlert,
  PlannedEvent,
  StandingOut,
} from '../../monitoring/overview/overview.ts';
import { type CheckAccess, canViewVps } from '../../operations/define/access/access.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import { listVpsNames, parseInput } from '../../operations/define/arguments/input.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import { keyRequiredAccess } from '../../runs/problem.ts';
import type { Run } from '../../runs/run.ts';
import { formatRunStatus, isInProgress } from '../../runs/run-status.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import type { ListNextScheduledChanges, NextScheduledChange } from '../../schedules/schedules.ts';

const maxRecentRuns = 8;

export interface ShownRun {
  readonly run: Run;
  readonly statusText: string;
}

/** A planned monitoring event, or the next occurrence of a scheduled change. */
export type ShownPlan =
  | PlannedEvent
  | ({ readonly kind: 'change'; readonly fromMs: number } & NextScheduledChange);

/** An undecided request and, if it has a card, the card's channel. */
export interface OpenAsk {
  readonly ask: Ask;
  readonly channel: string | undefined;
}

export type ListOpenAsks = (teamId: string) => Promise<readonly OpenAsk[]>;

/** The part of the App Home that doesn't need the hosting service. */
export interface HomeOverview {
  readonly alerts: readonly OpenAlert[];
  /** Findings from the latest reports. */
  readonly standsOut: readonly StandingOut[];
  /** Requests that the person can decide. */
  readonly asks: readonly OpenAsk[];
  readonly running: readonly ShownRun[];
  readonly planned: readonly ShownPlan[];
  readonly recent: readonly ShownRun[];
  readonly isAdmin: boolean;
}

interface OverviewSources {
  readonly runs: Pick<RunStore, 'listRecent'>;
  readonly listOpenAsks: ListOpenAsks;
  readonly catalogue: Catalogue;
  readonly checkAccess: CheckAccess;
  readonly loadMonitoringOverview: LoadMonitoringOverview;
  readonly listNextScheduledChanges: ListNextScheduledChanges;
}

/** Loads the workspace's alerts, runs and plans that a person is allowed to see. */
export async function loadHomeOverview(
  actor: Actor,
  {
    runs,
    listOpenAsks,
    catalogue,
    checkAccess,
    loadMonitoringOverview,
    listNextScheduledChanges,
  }: OverviewSources,
): Promise<HomeOverview> {
  const { teamId, userId } = actor;
  const [monitoring, scheduled, recent, asks] = await Promise.all([
    loadMonitoringOverview(teamId),
    listNextScheduledChanges(teamId),
    runs.listRecent(teamId, maxRecentRuns * 5),
    listOpenAsks(teamId),
  ]);
  const changes = recent.filter((run) => isVisibleChange(run, catalogue, checkAccess));
  const isRunning = (run: Run) => isInProgress(run, catalogue.find(run.operation));
  const withStatus = (run: Run): ShownRun => ({
    run,
    statusText: formatRunStatus(run, catalogue.find(run.operation)),
  });
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
    asks: asks.filter(({ ask }) => ask.actor.userId !== userId && checkAccess(ask.required) === undefined),
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
