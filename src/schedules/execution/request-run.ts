import { parseInput } from '../../operations/define/arguments/input.ts';
import type { RawInput } from '../../operations/define/arguments/raw-input.ts';
import type { Problem } from '../../runs/problem.ts';
import type { Run } from '../../runs/run.ts';
import { type Schedule, toOccurrenceKey } from '../schedule.ts';
import type { ExecutionDependencies } from './execution-dependencies.ts';

type RequestResult =
  | { readonly kind: 'run'; readonly run: Run }
  | { readonly kind: 'problem'; readonly problem: string };

/**
 * Creates the function that requests a run, once per key. It returns the run, or the problem if the
 * request never became a run.
 */
export function createRunRequest({
  runs,
  runner,
  catalogue,
}: Pick<ExecutionDependencies, 'runs' | 'runner' | 'catalogue'>) {
  return async (
    schedule: Schedule,
    requestKey: string,
    name: string,
    raw: RawInput,
  ): Promise<RequestResult> => {
    const known = await runs.findByRequestKey(requestKey);
    if (known) return { kind: 'run', run: known };
    const operation = catalogue().find(name);
    if (!operation) return { kind: 'problem', problem: `There is no command ${name} anymore.` };
    const reply = await runner().runScheduled({
      requestKey,
      operation,
      parsed: parseInput(operation, raw),
      actor: { teamId: schedule.teamId, userId: schedule.createdBy },
      origin: {
        channel: schedule.channel,
        schedule: schedule.name,
        ...(schedule.occurrence && { threadKey: toOccurrenceKey(schedule.id, schedule.occurrence.dueMs) }),
      },
      scheduleApproverId: schedule.approval?.by,
    });
    await runner().deliver(reply, async () => undefined);
    const run = await runs.findByRequestKey(requestKey);
    if (run) return { kind: 'run', run };
    const problem =
      reply.kind === 'problem' ? describeProblem(reply.problem) : 'Rackhand has no record of this run.';
    return { kind: 'problem', problem };
  };
}

export function describeProblem({ message, serviceMessage }: Problem): string {
  return serviceMessage === undefined ? message : `${message} The service says: “${serviceMessage}”`;
}
