import type { QuotaUsage } from '../../../hosting/quota/rate-limiter.ts';
import type { ChoiceSource } from '../../../operations/define/arguments/choice-source.ts';
import type { Operation } from '../../../operations/define/operation.ts';
import { createManageMonitorOperations } from '../../shared/monitor/manage-monitors.ts';
import { remainingThroughput } from '../../shared/throughput.ts';
import { assertCapacity } from '../capacity/capacity.ts';
import { nextTimeFacts } from '../planning/plan-facts.ts';
import { reportArgument } from '../planning/report-arguments.ts';
import { reportContent } from '../planning/report-content.ts';
import { toReportPlanInput } from '../planning/report-plan-input.ts';
import type { Report } from '../report.ts';
import type { ReportStore } from '../report-store.ts';
import { reportNextSteps } from './show-report.ts';

interface ManageReportsDependencies {
  readonly store: ReportStore;
  readonly reports: ChoiceSource;
  /** Returns how many calls a minute other work makes in the same lane. */
  readonly otherCallsPerMinute: (teamId: string) => Promise<number>;
  /** Wakes the scheduler, because the times of reports have changed. */
  readonly wake: () => void;
  readonly now: () => number;
}

/** Declares the operations that pause, resume and delete reports. */
export function createManageReportOperations(dependencies: ManageReportsDependencies): readonly Operation[] {
  const { store, reports, otherCallsPerMinute, wake, now } = dependencies;

  /**
   * Checks the capacity before a report is resumed, because other reports can have used it up
   * during the pause.
   */
  async function assertItsCapacity({ teamId, id, timing, content }: Report, usage: QuotaUsage) {
    const others = (await store.list(teamId)).filter((other) => other.id !== id);
    const throughput = remainingThroughput(usage, await otherCallsPerMinute(teamId));
    assertCapacity({ timing, content: reportContent.parse(content) }, others, throughput);
  }

  return createManageMonitorOperations<Report>({
    kind: 'report',
    store,
    nameArgument: reportArgument(reports),
    pause: ({ id }, byUserId) => store.pause(id, { reason: 'person', byUserId }, now()),
    async resume(report, createdBy, { quotaUsage }) {
      await assertItsCapacity(report, await quotaUsage());
      if (!(await store.resume(report, createdBy, now()))) return undefined;
      wake();
      return nextTimeFacts(report.timing, now());
    },
    remove: ({ id }) => store.delete(id),
    nextSteps: reportNextSteps,
    addAgainLabel: 'Schedule Again',
    toPlanInput: toReportPlanInput,
  });
}
