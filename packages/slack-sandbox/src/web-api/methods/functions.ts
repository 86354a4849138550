import { z } from 'zod';
import type { FunctionExecution } from '../../functions/function-executions.ts';
import { findParameterProblems } from '../../functions/function-schema.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { jsonArgument, nonEmptyString } from '../arguments.ts';
import { defineMethod } from '../method.ts';
import { SlackError } from '../slack-error.ts';

export const functionsCompleteSuccess = defineMethod({
  name: 'functions.completeSuccess',
  tier: 3,
  args: () =>
    z.object({
      function_execution_id: nonEmptyString,
      outputs: jsonArgument(z.record(z.string(), z.unknown())),
    }),
  run({ function_execution_id, outputs }, { manifest, changes }, workspace) {
    const execution = resolveRunning(workspace, function_execution_id);
    const expected = manifest.functions[execution.callbackId]?.output_parameters ?? {};
    const messages = findParameterProblems(expected, outputs);
    if (messages.length > 0) {
      throw new SlackError('parameter_validation_failed', { response_metadata: { messages } });
    }
    Object.assign(execution, { state: 'completed', outputs });
    changes.publish({ kind: 'functions', team: workspace.team.id });
    return {};
  },
});

export const functionsCompleteError = defineMethod({
  name: 'functions.completeError',
  tier: 3,
  args: () => z.object({ function_execution_id: nonEmptyString, error: nonEmptyString }),
  run({ function_execution_id, error }, { changes }, workspace) {
    Object.assign(resolveRunning(workspace, function_execution_id), { state: 'failed', error });
    changes.publish({ kind: 'functions', team: workspace.team.id });
    return {};
  },
});

function resolveRunning({ functionExecutions }: Workspace, id: string): FunctionExecution {
  const execution = functionExecutions.get(id);
  if (!execution) throw new SlackError('function_execution_not_found');
  if (execution.state !== 'running') throw new SlackError('execution_not_in_running_state');
  return execution;
}
