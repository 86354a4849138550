import type { JsonObject } from '../../json.ts';
import type { StateValues } from '../../workspace/state-values.ts';
import type { StoredView } from '../../workspace/view-store.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/**
 * Describes a view like responses and payloads do. `values` are the entered values, which Slack
 * includes in some of them.
 */
export function toViewObject(
  { app, team, bot }: Workspace,
  view: StoredView,
  values: StateValues = {},
): JsonObject {
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
