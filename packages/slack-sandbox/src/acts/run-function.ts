import type { Core } from '../core.ts';
import type { FunctionExecution } from '../functions/function-executions.ts';
import { type FunctionParameters, findParameterProblems } from '../functions/function-schema.ts';
import type { JsonObject } from '../json.ts';
import type { Person } from '../workspace/seed.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type ActionResult, toActionResult } from './action-result.ts';
import { InvalidActionError } from './invalid-action-error.ts';

/**
 * Runs one of the app's functions, as a workflow with this one step would, and waits until the app
 * has acknowledged it.
 */
export async function runFunction(
  core: Core,
  workspace: Workspace,
  person: Person,
  callbackId: string,
  inputs: JsonObject,
): Promise<Partial<ActionResult> & { readonly function_execution_id: string }> {
  const definition = Object.hasOwn(core.manifest.functions, callbackId)
    ? core.manifest.functions[callbackId]
    : undefined;
  if (!definition) throw new InvalidActionError(`The manifest declares no function ${callbackId}`, 404);
  const problems = findParameterProblems(definition.input_parameters, inputs);
  if (problems.length > 0) throw new InvalidActionError(problems.join(' '));
  const execution: FunctionExecution = {
    id: core.ids.id('Fx'),
    callbackId,
    user: person.id,
    token: `xwfp-${core.ids.secret()}`,
    inputs,
    state: 'running',
  };
  workspace.functionExecutions.set(execution.id, execution);
  core.changes.publish({ kind: 'functions', team: workspace.team.id });
  const result = await core.events.send(workspace, {
    event: {
      type: 'function_executed',
      function: {
        id: `Fn${callbackId.toUpperCase().replaceAll(/[^A-Z0-9]/g, '0')}`,
        callback_id: callbackId,
        title: definition.title,
        description: definition.description,
        type: 'app',
        input_parameters: toParameterList(definition.input_parameters),
        output_parameters: toParameterList(definition.output_parameters),
        app_id: core.app.id,
        date_created: 0,
        date_updated: 0,
        date_deleted: 0,
      },
      inputs,
      function_execution_id: execution.id,
      workflow_execution_id: core.ids.id('Wx'),
      event_ts: core.ids.ts(),
      bot_access_token: execution.token,
    },
  });
  if (!result) {
    workspace.functionExecutions.delete(execution.id);
    core.changes.publish({ kind: 'functions', team: workspace.team.id });
    throw new InvalidActionError('The app has not subscribed to function_executed, or is not installed');
  }
  return { ...toActionResult(result), function_execution_id: execution.id };
}

function toParameterList(parameters: FunctionParameters): JsonObject[] {
  return Object.entries(parameters).map(([name, { type, title, description, is_required }]) => ({
    type,
    name,
    description: description ?? '',
    title: title ?? name,
    is_required,
  }));
}
