import type { Core } from '../core.ts';
import { getString, isObject, type JsonObject } from '../json.ts';
import type { Person } from '../workspace/seed.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type ActionResult, toActionResult } from './action-result.ts';
import type { MessageSurface } from './interaction-surface.ts';
import { InvalidActionError } from './invalid-action-error.ts';

/**
 * Opens a work object of a message, as a click on its preview does. The app gets
 * `entity_details_requested` and answers with `entity.presentDetails`.
 */
export async function openEntity(
  core: Core,
  workspace: Workspace,
  person: Person,
  surface: MessageSurface,
  entityId: string,
): Promise<ActionResult> {
  const { channel, message } = surface;
  const entity = findEntity(workspace, surface, entityId);
  const url = getString(entity, 'url') ?? '';
  const triggerId = core.triggers.create({ team: workspace.team.id, user: person.id, viewId: undefined });
  workspace.openedEntities.set(triggerId, { user: person.id, entityId, details: undefined });
  const outcome = await core.events.send(workspace, {
    event: {
      type: 'entity_details_requested',
      user: person.id,
      external_ref: entity.external_ref,
      entity_url: url,
      link: { url, domain: URL.canParse(url) ? new URL(url).hostname : '' },
      app_unfurl_url: getString(entity, 'app_unfurl_url') ?? url,
      trigger_id: triggerId,
      user_locale: 'en-US',
      channel: channel.id,
      message_ts: message.ts,
      ...(message.thread_ts !== undefined && { thread_ts: message.thread_ts }),
      event_ts: core.ids.ts(),
    },
    channel,
  });
  if (!outcome) throw new InvalidActionError('The app has not subscribed to entity_details_requested');
  return toActionResult(outcome, triggerId);
}

/** Returns a message's work object by its ID at the other service. Throws if there is none. */
export function findEntity(
  { workObjects }: Workspace,
  { channel, message }: MessageSurface,
  entityId: string,
): JsonObject {
  const entities = workObjects.get(`${channel.id}/${message.ts}`) ?? [];
  const entity = entities.find(({ external_ref: ref }) => isObject(ref) && ref.id === entityId);
  if (!entity) throw new InvalidActionError(`The message has no work object ${entityId}`, 404);
  return entity;
}
