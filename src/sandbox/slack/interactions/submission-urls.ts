import type { Core } from '../core.ts';
import type { JsonObject } from '../json.ts';
import { elementsOf } from '../world/elements.ts';
import type { Person } from '../world/seed.ts';
import { valueIn } from '../world/stateful-elements.ts';
import type { ShownView } from '../world/views.ts';
import type { Workspace } from '../world/workspace.ts';

/** Makes a `response_url` for each menu of conversations that asks for one with `response_url_enabled`. */
export function responseUrlsOf(
  core: Core,
  workspace: Workspace,
  person: Person,
  view: ShownView,
): JsonObject[] {
  return elementsOf(view.blocks).flatMap(({ type, element, blockId, actionId }) => {
    if (element.response_url_enabled !== true) return [];
    const channel = valueIn(type, view.values[blockId]?.[actionId]);
    if (typeof channel !== 'string') return [];
    const url = core.responseUrls.create({ team: workspace.team.id, channel, user: person.id });
    return [{ block_id: blockId, action_id: actionId, channel_id: channel, response_url: url }];
  });
}
