import type { AskRules } from '../asks/ask.ts';
import type { Asks } from '../asks/asks.ts';
import type { FindCreatorStanding } from '../auth/creator-standing.ts';
import type { Database } from '../db/engines/database.ts';
import type { RowReader } from '../db/row-reader.ts';
import { RackhandError } from '../errors.ts';
import type { HostingClient } from '../hosting/client/hosting-client.ts';
import type { JobQueue } from '../jobs/job-kind.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Outbox } from '../messages/outbox.ts';
import type { PostOutcome } from '../messages/post-outcome.ts';
import type { ChannelPublisher } from '../monitoring/shared/channel-publisher.ts';
import { createStoredEntitySource } from '../operations/choices/sources/stored-entities.ts';
import type { ResolveAccess } from '../operations/define/access/access.ts';
import type { Catalogue, Operation } from '../operations/define/operation.ts';
import type { PlanJobPayload } from '../plans/plan-job.ts';
import type { FindApprovalRouteFor } from '../runs/pipeline/approval/approvals.ts';
import type { ListVpsAliases } from '../runs/pipeline/run-environment.ts';
import type { Runner } from '../runs/runner.ts';
import type { IsReasonRequired } from '../runs/stated-reason.ts';
import type { RunStore } from '../runs/store/run-store.ts';
import { formatWhen } from '../time/format-when.ts';
import { createOccurrenceExecutor } from './execution/execute-occurrence.ts';
import { createAddScheduleOperation } from './operations/add-schedule.ts';
import { type AskForApproval, createEditSchedule } from './operations/edit-schedule.ts';
import { filterVisible } from './operations/schedule-access.ts';
import { createScheduleVerbs } from './operations/schedule-verbs.ts';
import { createSchedulePlanner } from './planning/plan-schedule.ts';
import type { Schedule } from './schedule.ts';
import { createScheduleJob } from './schedule-job.ts';
import { createScheduleStore, createSnapshotStore } from './schedule-store.ts';

interface SchedulesDependencies {
  readonly db: Database;
  readonly jobs: Pick<Jobs, 'clock' | 'define'>;
  readonly runs: Pick<RunStore, 'findByRequestKey' | 'addAuditEntry'>;
  /** A function, because the runner is created later: its catalogue contains the operations for schedules. */
  readonly runner: () => Pick<Runner, 'runScheduled' | 'deliver'>;
  readonly catalogue: () => Catalogue;
  readonly hostingFor: (teamId: string) => HostingClient;
  readonly listVpsAliases: ListVpsAliases;
  readonly resolveAccess: ResolveAccess;
  readonly findApprovalRoute: FindApprovalRouteFor;
  readonly isReasonRequired: IsReasonRequired;
  readonly asks: Pick<Asks, 'ask' | 'decide'>;
  readonly findCreatorStanding: FindCreatorStanding;
  readonly listAdmins: (teamId: string) => Promise<readonly string[]>;
  readonly publisher: Pick<ChannelPublisher, 'postText'>;
  readonly postOutcome: PostOutcome;
  readonly transact: Outbox['transact'];
  /** Dead-letters unreadable schedules. */
  readonly rowReader?: RowReader;
}

export interface NextScheduledChange {
  readonly title: string;
  readonly channel: string;
  readonly createdBy: string;
  readonly atMs: number;
}

export type ListNextScheduledChanges = (teamId: string) => Promise<readonly NextScheduledChange[]>;

export interface Schedules {
  readonly operations: readonly Operation[];
  readonly planOperations: readonly Operation[];
  /** Activates a schedule that a second person approved. Does nothing if it's already active. */
  readonly handleApproved: AskRules['carryOut'];
  /** Lists the next change of each active schedule, unless it's skipped. */
  readonly listNextChanges: ListNextScheduledChanges;
}

/** Maximum time for which an approval request is valid. */
const maxApprovalMs = 7 * 86_400_000;

export function createSchedules(dependencies: SchedulesDependencies): Schedules {
  const {
    db,
    jobs,
    findApprovalRoute,
    isReasonRequired,
    asks,
    listAdmins,
    publisher,
    postOutcome,
    transact,
  } = dependencies;
  const { findCreatorStanding, runs } = dependencies;
  const { now } = jobs.clock;
  const store = createScheduleStore(db, {
    rowReader: dependencies.rowReader,
    queue: {
      schedule: ({ id, teamId }, transaction) => queue.ensure({ id, teamId, payload: {} }, transaction),
      wake: () => queue.wake(),
    },
  });
  const snapshots = createSnapshotStore(db);
  const executeOccurrence = createOccurrenceExecutor({ ...dependencies, store, snapshots });
  const queue: JobQueue<PlanJobPayload> = jobs.define(
    createScheduleJob({
      store,
      executeOccurrence,
      postOutcome,
      transact,
      findCreatorStanding,
      runs,
      listAdmins,
      clock: jobs.clock,
    }),
  );

  /** Asks a second person. The request expires at the schedule's first time or after a week, whichever comes first. */
  const askForApproval: AskForApproval = async (schedule, { route, required, details }) => {
    const { teamId, createdBy: userId, act, timing, nextMs } = schedule;
    const asked = await asks.ask({
      actor: { teamId, userId },
      kind: 'schedule',
      subject: toSubject(schedule),
      title: `Schedule: ${act.title}`,
      details: { facts: [{ label: 'When', value: formatWhen(timing) }, ...details] },
      required,
      route,
      expiresMs: Math.min(nextMs ?? now(), now() + maxApprovalMs),
    });
    if (asked.kind === 'nobody' || asked.kind === 'unreachable')
      throw new RackhandError(
        'not_permitted',
        'This needs approval, and no one else could be asked. Nothing was scheduled.',
      );
    const { id } = asked;
    return async () => {
      await asks.decide(id, { actor: { teamId, userId }, origin: {}, verdict: 'declined' });
    };
  };

  const schedules = createStoredEntitySource<Schedule>({
    name: 'schedules',
    noun: 'a schedule',
    list: store.list,
    listNames: store.listNames,
    filterVisible,
    formatHint: ({ timing }) => formatWhen(timing),
  });
  const makePlan = createSchedulePlanner({ store, findApprovalRoute, isReasonRequired, now });
  const parts = { store, makePlan, publisher, askForApproval, now };
  return {
    operations: [createAddScheduleOperation(parts)],
    planOperations: createScheduleVerbs({
      ...parts,
      schedules,
      editSchedule: createEditSchedule(parts),
    }),
    async listNextChanges(teamId) {
      return (await store.list(teamId)).flatMap(({ act, channel, createdBy, state, nextMs, skippedMs }) =>
        state.kind === 'active' && nextMs !== null && nextMs !== skippedMs
          ? [{ title: act.title, channel, createdBy, atMs: nextMs }]
          : [],
      );
    },
    async handleApproved({ actor, subject, required, decision }) {
      const [id = ''] = subject.split(' ');
      const schedule = await store.get(id);
      if (!decision) return;
      if (schedule?.teamId !== actor.teamId || schedule.state.kind === 'deleted')
        throw new RackhandError('input_invalid', 'This schedule was deleted. Decline this request.');
      if (toSubject(schedule) !== subject)
        throw new RackhandError(
          'input_invalid',
          'This schedule was changed after the request. Decline this request; the new version has a request of its own.',
        );
      await store.approve(schedule, decision.by, required.vps, now());
    },
  };
}

/** Identifies a version of a schedule, so an approval doesn't apply to a later one. */
function toSubject({ id, createdMs }: Pick<Schedule, 'id' | 'createdMs'>): string {
  return `${id} ${createdMs}`;
}
