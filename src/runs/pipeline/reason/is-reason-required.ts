import type { Input } from '../../../operations/define/arguments/input.ts';
import type { ChangeOperation } from '../../../operations/define/operation.ts';

/** Tells whether the workspace requires a reason for a change. */
export type IsReasonRequired = (teamId: string, operation: ChangeOperation, input: Input) => Promise<boolean>;
