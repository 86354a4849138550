import type { InteractionSurface } from '../acts/interaction-surface.ts';
import type { JsonObject } from '../json.ts';
import type { Person } from '../workspace/seed.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Notes that the caller has posted a message with the token of a function. */
export function linkMessageToFunction(workspace: Workspace, channel: string, ts: string): void {
  const { functionSurfaces, caller } = workspace;
  if (caller.executionId !== undefined) functionSurfaces.set(`${channel}/${ts}`, caller.executionId);
}

/** Notes that the caller has opened a view with the token of a function. */
export function linkViewToFunction(workspace: Workspace, viewId: string): void {
  const { functionSurfaces, caller } = workspace;
  if (caller.executionId !== undefined) functionSurfaces.set(viewId, caller.executionId);
}

/**
 * Returns the fields of an interactive payload that name the function to which a message or view
 * belongs, so that the app can complete it. Returns none for other messages and views.
 */
export function toFunctionFields(
  { functionSurfaces, functionExecutions }: Workspace,
  person: Person,
  surface: InteractionSurface,
  triggerId: string,
): JsonObject {
  const key = surface.kind === 'view' ? surface.view.id : `${surface.channel.id}/${surface.message.ts}`;
  const execution = functionExecutions.get(functionSurfaces.get(key) ?? '');
  if (!execution) return {};
  const { id, callbackId, inputs, token } = execution;
  return {
    function_data: { execution_id: id, function: { callback_id: callbackId }, inputs },
    bot_access_token: token,
    interactivity: { interactor: { id: person.id, secret: '' }, interactivity_pointer: triggerId },
  };
}
