import type { JsonObject } from '../json.ts';
import { app } from '../world/seed.ts';
import type { Values } from '../world/stateful-elements.ts';
import type { ShownView } from '../world/views.ts';
import type { Workspace } from '../world/workspace.ts';

/** Describes a view as answers and payloads do; `values` are what the person has filled in, where Slack tells. */
export function viewFacts({ team, bot }: Workspace, view: ShownView, values: Values = {}): JsonObject {
  const { draft } = view;
  return {
    id: view.id,
    team_id: team.id,
    type: view.type,
    blocks: view.blocks,
    private_metadata: draft.private_metadata ?? '',
    callback_id: draft.callback_id ?? '',
    state: { values },
    hash: view.hash,
    title: draft.title ?? null,
    clear_on_close: draft.clear_on_close ?? false,
    notify_on_close: draft.notify_on_close ?? false,
    close: draft.close ?? null,
    submit: draft.submit ?? null,
    previous_view_id: view.previousViewId,
    root_view_id: view.rootViewId,
    app_id: app.id,
    external_id: draft.external_id ?? '',
    app_installed_team_id: team.id,
    bot_id: bot.id,
  };
}
