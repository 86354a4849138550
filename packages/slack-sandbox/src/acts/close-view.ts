import type { Core } from '../core.ts';
import { toViewObject } from '../web-api/objects/view-object.ts';
import type { Person } from '../workspace/seed.ts';
import type { StoredView } from '../workspace/view-store.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type ActionResult, toActionResult } from './action-result.ts';
import { commonPayloadFields } from './payload.ts';

/**
 * Closes a view. With `clear_on_close`, closes the whole modal. The app is notified of each closed
 * view that has `notify_on_close`. Returns the result for `view`. If no notification was sent for
 * it, the result isn't acknowledged.
 */
export async function closeView(
  core: Core,
  workspace: Workspace,
  person: Person,
  view: StoredView,
): Promise<ActionResult> {
  const isCleared = view.draft.clear_on_close === true;
  const closed = isCleared ? workspace.views.getStack(person.id).toReversed() : [view];
  if (isCleared) workspace.views.closeAll(person.id);
  else workspace.views.close(view);
  const told = closed.filter(({ draft }) => draft.notify_on_close === true && core.manifest.isInteractive);
  const reactions = await Promise.all(
    told.map(async (one) => {
      const payload = {
        type: 'view_closed',
        ...commonPayloadFields(workspace, person),
        view: toViewObject(workspace, one, one.values),
        is_cleared: isCleared,
      };
      return toActionResult(await core.deliver({ kind: 'interactive', team: workspace.team.id, payload }));
    }),
  );
  return reactions[0] ?? { acknowledged: false, ack_ms: 0 };
}
