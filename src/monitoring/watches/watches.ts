import type { Logger } from 'pino';
import type { FindCreatorStanding } from '../../auth/creator-standing.ts';
import type { MemberDirectory } from '../../auth/member-directory.ts';
import { createRecipients } from '../../auth/recipients.ts';
import type { Database } from '../../db/engines/database.ts';
import type { RowReader } from '../../db/row-reader.ts';
import type { HostingClient } from '../../hosting/client/hosting-client.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { MessageRef } from '../../messages/message.ts';
import type { Outbox } from '../../messages/outbox.ts';
import { createStoredEntitySource } from '../../operations/choices/sources/stored-entities.ts';
import type { ResolveAccess } from '../../operations/define/access/access.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import type { ChoiceSource } from '../../operations/define/arguments/choice-source.ts';
import type { Operation } from '../../operations/define/operation.ts';
import type { Read } from '../../operations/define/read.ts';
import { listNamesWithNewer } from '../../plans/newer-plans.ts';
import type { ListVpsAliases } from '../../runs/pipeline/run-environment.ts';
import { toRunMessageKey } from '../../runs/run-messages.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import { createTeamLabels, type LabelVpsFor } from '../../runs/team-labels.ts';
import type { ListAlerts, ReportedAlert } from '../shared/alert-digest.ts';
import type { ChannelPublisher, TellChannels, UploadChart } from '../shared/channel-publisher.ts';
import type { ListRecentActs, LoadSilence } from '../shared/silence.ts';
import { formatCondition } from './condition.ts';
import { createAlertNotifier, toAlertKey } from './delivery/alert-notifier.ts';
import { createAlertPictureJob } from './delivery/alert-picture.ts';
import { createCloseAlert, createWatchPauses } from './delivery/close-alert.ts';
import { createEscalationJob } from './delivery/escalation-job.ts';
import type { FindChangeFacts } from './delivery/format-alert.ts';
import { createUnreadNotifier } from './delivery/unread-notices.ts';
import { isAlertOpen } from './evaluation/alert.ts';
import { createEvaluationJob } from './evaluation/evaluation-job.ts';
import { cycleIntervalMs } from './evaluation/evaluation-rate.ts';
import { createWatchEvaluator } from './evaluation/watch-evaluator.ts';
import { createAddWatchOperation } from './operations/add-watch.ts';
import { createAlertOperations } from './operations/respond-to-alert.ts';
import { createTestWatchOperation } from './operations/test-watch.ts';
import { createWatchVerbs } from './operations/watch-verbs.ts';
import { createPastAlertPurge, createPastAlertStore } from './past-alert-store.ts';
import { createWatchArguments } from './planning/watch-arguments.ts';
import { createWatchPlanner } from './planning/watch-planner.ts';
import type { Watch } from './watch.ts';
import { createWatchStore, type WatchStore } from './watch-store.ts';
import { createWatchedFleet } from './watched-fleet.ts';

interface WatchesDependencies {
  readonly db: Database;
  /** Returns a workspace's hosting client. Calls throw `key_missing` if there is no API key. */
  readonly hostingFor: (teamId: string) => HostingClient;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  readonly publisher: ChannelPublisher;
  readonly outbox: Outbox;
  readonly tellChannels: TellChannels;
  readonly uploadChart: UploadChart;
  /** Returns the link to a message, or undefined if Slack doesn't provide one. */
  readonly findPermalink: (teamId: string, message: MessageRef) => Promise<string | undefined>;
  readonly findTimeZone: (actor: Actor) => Promise<string>;
  readonly directory: MemberDirectory;
  readonly findCreatorStanding: FindCreatorStanding;
  readonly resolveAccess: ResolveAccess;
  /** Returns false if the workspace is suspended. */
  readonly isActive: (teamId: string) => Promise<boolean>;
  /** Lists the people to notify if a watch's creator can't be notified. */
  readonly listAdmins: (teamId: string) => Promise<readonly string[]>;
  readonly loadSilence: LoadSilence;
  readonly listRecentActs: ListRecentActs;
  readonly jobs: Pick<Jobs, 'clock' | 'define' | 'definePeriodic'>;
  readonly listVpsAliases: ListVpsAliases;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Dead-letters unreadable watches. */
  readonly rowReader?: RowReader;
}

export interface Watches {
  readonly operations: readonly Operation[];
  readonly planOperations: readonly Operation[];
  readonly listAlerts: ListAlerts;
  readonly labelVpsFor: LabelVpsFor;
  /** Lists the VPS with the problems that watches find. Resolves to undefined if the problems are unknown. */
  listWatchedVps: ReturnType<typeof createWatchedFleet>['list'];
  /** Lists the channels of active watches that cover any VPS in a selection. */
  listWatchChannels: ReturnType<typeof createWatchedFleet>['listChannels'];
  /** Returns the calls per minute of a workspace's watches. */
  callsPerMinute(teamId: string): Promise<number>;
}

export function createWatches(dependencies: WatchesDependencies): Watches {
  const { db, hostingFor, runs, publisher, outbox, tellChannels, directory } = dependencies;
  const { listVpsAliases, loadSilence, listAdmins, isActive, jobs, log } = dependencies;
  const { clock } = jobs;
  const { now } = clock;
  const store = createWatchStore(db, dependencies.rowReader);
  const pauses = createWatchPauses(store, outbox, { runs, listAdmins, clock });
  const readFor =
    (teamId: string): Read =>
    (endpoint, input, options) =>
      hostingFor(teamId).call(endpoint, input, { lane: 'background', caller: 'watches', ...options });
  const labelVpsFor = createTeamLabels({ readFor, listVpsAliases });
  const fleet = createWatchedFleet({ store, readFor, listVpsAliases, loadSilence, now });
  const recipients = createRecipients(directory);
  /** Returns the link to a message. Undefined if the message hasn't been posted or Slack doesn't provide a link. */
  async function findLink(teamId: string, key: string): Promise<string | undefined> {
    const message = await outbox.find(teamId, key);
    return message?.ref ? dependencies.findPermalink(teamId, message.ref).catch(() => undefined) : undefined;
  }
  const findChangeFacts: FindChangeFacts = async (teamId, vps, sinceMs) => {
    const acts = await dependencies.listRecentActs(teamId, sinceMs);
    const last = acts.findLast((act) => vps.includes(act.vps));
    if (!last) return [];
    const url = await findLink(teamId, toRunMessageKey(last.runId));
    const value = url === undefined ? last.title : ({ kind: 'link', url, text: last.title } as const);
    return [{ label: 'Last change', value }];
  };
  const notifyAlert = createAlertNotifier({
    store,
    outbox,
    recipients,
    scheduleEscalation: (...alert) => escalation.schedule(...alert),
    schedulePicture: (...alert) => pictures.schedule(...alert),
    pauseIn: pauses.pauseIn,
    labelVpsFor,
    findChangeFacts,
    clock,
  });
  const escalation = createEscalationJob({
    jobs,
    store,
    outbox,
    recipients,
    labelVpsFor,
    findChangeFacts,
    isActive,
    isSilentAbout: fleet.isSilentAbout,
    refresh: notifyAlert.refresh,
  });
  const pictures = createAlertPictureJob({
    jobs,
    store,
    readFor,
    uploadChart: dependencies.uploadChart,
    labelVpsFor,
    findTimeZone: dependencies.findTimeZone,
    refresh: notifyAlert.refresh,
    log,
  });
  const usageOf = (teamId: string) => hostingFor(teamId).usage();
  const evaluate = createWatchEvaluator({
    store,
    pause: pauses.pause,
    notifyAlert,
    findCreatorStanding: dependencies.findCreatorStanding,
    notifyUnread: createUnreadNotifier({ store, outbox, pauseIn: pauses.pauseIn, labelVpsFor, clock }),
    readFor,
    listVpsAliases,
    usageOf,
    loadSilence,
    now,
    log,
  });
  jobs.definePeriodic(createPastAlertPurge(db));
  const evaluation = createEvaluationJob({
    jobs,
    isActive,
    hasActiveWatches: store.hasActive,
    listTeamsWithoutJob: store.listTeamsWithoutJob,
    evaluate,
    log,
  });
  const scheduleEvaluation = evaluation.schedule;

  const fields = createWatchArguments(recipients.choices);
  const makePlan = createWatchPlanner({
    store,
    recipients,
    resolveAccess: dependencies.resolveAccess,
  });
  const commonDependencies = { store, watches: createWatchChoiceSource(store), recipients, now };

  return {
    operations: [
      createAddWatchOperation({ store, fields, makePlan, publisher, scheduleEvaluation, now }),
      createTestWatchOperation({ ...commonDependencies, announce: publisher.announce }),
      ...createAlertOperations({
        ...commonDependencies,
        notifier: notifyAlert,
        transact: outbox.transact,
      }),
    ],
    planOperations: createWatchVerbs({
      ...commonDependencies,
      fields,
      makePlan,
      publisher,
      tellChannels,
      outbox,
      closeAlert: createCloseAlert(outbox),
      scheduleEvaluation,
      intervalMsFor: async (teamId) => (await evaluation.latestRate(teamId))?.intervalMs ?? undefined,
    }),
    listAlerts: createAlertList({ ...dependencies, store, findLink }),
    labelVpsFor,
    listWatchedVps: fleet.list,
    listWatchChannels: fleet.listChannels,
    async callsPerMinute(teamId) {
      const { calls = 0 } = (await evaluation.latestRate(teamId)) ?? {};
      return (calls * 60_000) / cycleIntervalMs;
    },
  };
}

function createWatchChoiceSource(store: Pick<WatchStore, 'list' | 'listNames' | 'listNewer'>): ChoiceSource {
  return createStoredEntitySource({
    name: 'watches',
    noun: 'a watch',
    list: store.list,
    listNames: listNamesWithNewer(store),
    formatHint: ({ condition, state }) => (state.kind === 'paused' ? 'paused' : formatCondition(condition)),
  });
}

/** Maximum alerts with a link. Each link costs a call, and reports show fewer. */
const maxLinked = 10;

function createAlertList({
  db,
  store,
  findLink,
  rowReader,
}: Pick<WatchesDependencies, 'db' | 'rowReader'> & {
  readonly store: Pick<WatchStore, 'list'>;
  readonly findLink: (teamId: string, key: string) => Promise<string | undefined>;
}): ListAlerts {
  const past = createPastAlertStore(db, rowReader);
  return async (teamId, period) => {
    const ended = await past.list(teamId, period);
    const watches = await store.list(teamId);
    if (watches.length === 0 && ended.length === 0) return undefined;
    const current = watches.flatMap((watch) => {
      const alert = toReportedAlert(watch);
      if (!alert || alert.beganMs >= period.untilMs) return [];
      if (!alert.isOpen && (alert.endedMs ?? 0) < period.fromMs) return [];
      return [{ alert, key: toAlertKey(watch, alert) }];
    });
    return [
      ...ended,
      ...(await Promise.all(
        current.map(async ({ alert, key }, index) => ({
          ...alert,
          ...(alert.isOpen && index < maxLinked && { url: await findLink(teamId, key) }),
        })),
      )),
    ];
  };
}

function toReportedAlert({ name, alertState: { alert } }: Watch): ReportedAlert | undefined {
  if (!alert) return undefined;
  const members = Object.entries(alert.members);
  const isOpen = isAlertOpen(alert);
  return {
    watchName: name,
    beganMs: alert.beganMs,
    endedMs: isOpen ? null : Math.max(...members.flatMap(([, { endedMs }]) => endedMs ?? [])),
    isOpen,
    vps: members.map(([vps]) => vps),
    acknowledgedMs: alert.response.acknowledged?.atMs ?? null,
  };
}
