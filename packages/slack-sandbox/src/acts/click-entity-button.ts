import type { Core } from '../core.ts';
import { filterObjects, getString, isObject, type JsonObject } from '../json.ts';
import type { Person } from '../workspace/seed.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type ActionResult, rejectedResult, toActionResult } from './action-result.ts';
import type { MessageSurface } from './interaction-surface.ts';
import { InvalidActionError } from './invalid-action-error.ts';
import { findEntity } from './open-entity.ts';
import { commonPayloadFields, interactivityError } from './payload.ts';

export interface EntityClick {
  readonly entity: string;
  readonly actionId: string;
  /** Tells buttons with the same `action_id` apart. */
  readonly value?: string | undefined;
}

/**
 * Clicks a button of a work object, in its preview or in the details that the person has opened. The
 * app gets `block_actions`, and can present new details with the trigger.
 */
export async function clickEntityButton(
  core: Core,
  workspace: Workspace,
  person: Person,
  surface: MessageSurface,
  { entity: entityId, actionId, value }: EntityClick,
): Promise<ActionResult> {
  const { channel, message } = surface;
  const entity = findEntity(workspace, surface, entityId);
  const presented = [...workspace.openedEntities.values()]
    .filter((opened) => opened.user === person.id && opened.entityId === entityId)
    .map(({ details }) => details);
  const buttons = [entity, ...presented.reverse()].flatMap(listEntityButtons);
  const button = buttons.find(
    (each) => each.action_id === actionId && (value === undefined || each.value === value),
  );
  if (!button) {
    const known = [...new Set(buttons.map((each) => String(each.action_id)))].join(', ') || 'none';
    throw new InvalidActionError(`The work object has no button ${actionId}; there are: ${known}`, 404);
  }
  const off = interactivityError(core.manifest);
  if (off) return rejectedResult(off);
  const team = workspace.team.id;
  const triggerId = core.triggers.create({ team, user: person.id, viewId: undefined });
  workspace.openedEntities.set(triggerId, { user: person.id, entityId, details: undefined });
  const url = getString(entity, 'url') ?? '';
  const payload = {
    type: 'block_actions',
    ...commonPayloadFields(workspace, person),
    trigger_id: triggerId,
    container: {
      type: 'entity_detail',
      entity_url: url,
      external_ref: entity.external_ref,
      app_unfurl_url: getString(entity, 'app_unfurl_url') ?? url,
      channel: channel.id,
      message_ts: message.ts,
      ...(message.thread_ts !== undefined && { thread_ts: message.thread_ts }),
    },
    actions: [buildAction(button, core.ids.ts())],
  };
  return toActionResult(await core.deliver({ kind: 'interactive', team, payload }), triggerId);
}

/** Lists the buttons of a work object, or of the details or the error that an app has presented. */
function listEntityButtons(source: JsonObject | undefined): JsonObject[] {
  const entity = isObject(source?.metadata) ? source.metadata : source;
  const payload = isObject(entity?.entity_payload) ? entity.entity_payload : {};
  const actions = isObject(payload.actions) ? payload.actions : {};
  const error = isObject(source?.error) ? source.error : {};
  return [
    ...filterObjects(actions.primary_actions),
    ...filterObjects(actions.overflow_actions),
    ...filterObjects(error.actions),
  ];
}

function buildAction({ action_id, text, value, style, url }: JsonObject, actionTs: string): JsonObject {
  return {
    type: 'button',
    action_id,
    text: { type: 'plain_text', text, emoji: true },
    ...(value !== undefined && { value }),
    ...(style !== undefined && { style }),
    ...(url !== undefined && { url }),
    action_ts: actionTs,
  };
}
