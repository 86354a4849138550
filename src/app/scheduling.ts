import { createSchedules, type Schedules, type SchedulesDependencies } from '../schedules/schedules.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { SlackServices } from './slack-services.ts';
import type { createWorkspaceServices } from './workspace-services.ts';

/** Creates the schedules. The runner and the catalogue are created later, and contain their operations. */
export function createScheduling(
  { db, rowReader, jobs, runs, hosting }: Infrastructure,
  { directory, schedulePublisher }: Pick<SlackServices, 'directory' | 'schedulePublisher'>,
  workspaceServices: Awaited<ReturnType<typeof createWorkspaceServices>>,
  later: Pick<SchedulesDependencies, 'runner' | 'catalogue' | 'log'>,
): Schedules {
  const { vpsAliases, authorizer, findApprovalRoute, findReasonRule, secondPerson, listAdmins } =
    workspaceServices;
  return createSchedules({
    db,
    rowReader,
    jobs,
    runs,
    hostingFor: hosting,
    listVpsAliases: vpsAliases.byVps,
    resolveAccess: authorizer.resolveAccess,
    findApprovalRoute,
    findReasonRule,
    secondPerson,
    directory,
    listAdmins,
    publisher: schedulePublisher,
    ...later,
  });
}
