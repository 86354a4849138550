import type { RequiredAccess } from '../../operations/define/access/access.ts';
import type { ChangeOperation } from '../../operations/define/operation.ts';
import type { ApprovalRoute } from '../../runs/pipeline/approval/approvals.ts';
import { listUntitledInput, type TextFact } from '../../runs/pipeline/approval/untitled-input.ts';
import { keepFacts, reasonFacts } from '../format-schedule.ts';
import type { SchedulePlan } from '../schedule.ts';
import type { PlannedTarget } from './plan-targets.ts';

/** The approval that a schedule needs. */
export interface ScheduleApproval {
  readonly route: ApprovalRoute;
  /** The access that an approver needs. */
  readonly required: RequiredAccess;
  /** What an approver has to know besides the title of the change. */
  readonly details: readonly TextFact[];
}

/** Lists the targets, the input that the title doesn't name, the retention, and the reason. */
export function listApprovalDetails(
  operation: ChangeOperation,
  targets: readonly PlannedTarget[],
  { act, keep }: SchedulePlan,
): readonly TextFact[] {
  return [
    ...(targets.length > 1 ? [{ label: 'VPS', value: targets.map(({ label }) => label).join(', ') }] : []),
    ...listUntitledInput(operation, targets[0]?.parsed.input ?? {}),
    ...keepFacts(keep),
    ...reasonFacts(act),
  ];
}
