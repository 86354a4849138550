import { createPostOutcome } from '../messages/post-outcome.ts';
import { createSchedules, type Schedules, type SchedulesDependencies } from '../schedules/schedules.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { SlackServices } from './slack-services.ts';
import type { createWorkspaceServices } from './workspace-services.ts';

/** Creates the schedules. The runner and the catalogue are created later, and contain their operations. */
export function createScheduling(
  { db, rowReader, jobs, outbox, runs, hosting }: Infrastructure,
  { channelPublisher }: Pick<SlackServices, 'channelPublisher'>,
  workspaceServices: Awaited<ReturnType<typeof createWorkspaceServices>>,
  later: Pick<SchedulesDependencies, 'runner' | 'catalogue'>,
): Schedules {
  const { vpsAliases, authorizer, findCreatorStanding, findApprovalRoute, isReasonRequired } =
    workspaceServices;
  const { asks, listAdmins } = workspaceServices;
  return createSchedules({
    db,
    rowReader,
    jobs,
    runs,
    hostingFor: hosting,
    listVpsAliases: vpsAliases.byVps,
    resolveAccess: authorizer.resolveAccess,
    findCreatorStanding,
    findApprovalRoute,
    isReasonRequired,
    asks,
    listAdmins,
    publisher: channelPublisher,
    postOutcome: createPostOutcome(outbox),
    transact: outbox.transact,
    ...later,
  });
}
