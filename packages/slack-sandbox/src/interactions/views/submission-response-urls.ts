import type { Core } from '../../core.ts';
import type { JsonObject } from '../../json.ts';
import { listElements } from '../../workspace/elements.ts';
import type { Person } from '../../workspace/seed.ts';
import { readValue } from '../../workspace/state-values.ts';
import type { StoredView } from '../../workspace/view-store.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Creates a `response_url` for each conversation menu that has `response_url_enabled`. */
export function createSubmissionResponseUrls(
  core: Core,
  workspace: Workspace,
  person: Person,
  view: StoredView,
): JsonObject[] {
  return listElements(view.blocks).flatMap(({ type, element, blockId, actionId }) => {
    if (element.response_url_enabled !== true) return [];
    const channel = readValue(type, view.values[blockId]?.[actionId]);
    if (typeof channel !== 'string') return [];
    const url = core.responseUrls.create({ team: workspace.team.id, channel, user: person.id });
    return [{ block_id: blockId, action_id: actionId, channel_id: channel, response_url: url }];
  });
}
