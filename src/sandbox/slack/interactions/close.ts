import type { Core } from '../core.ts';
import { viewFacts } from '../web-api/view-facts.ts';
import type { Person } from '../world/seed.ts';
import type { ShownView } from '../world/views.ts';
import type { Workspace } from '../world/workspace.ts';
import { commonFields } from './payload.ts';
import { type Reaction, reactionTo } from './reaction.ts';

/**
 * Closes a view: with `clear_on_close` the whole modal. The app is told of each view that has `notify_on_close`; the
 * answer is that to the view which was closed, and not acknowledged where nobody is told.
 */
export async function close(
  core: Core,
  workspace: Workspace,
  person: Person,
  view: ShownView,
): Promise<Reaction> {
  const isCleared = view.draft.clear_on_close === true;
  const closed = isCleared ? workspace.views.stackOf(person.id).toReversed() : [view];
  if (isCleared) workspace.views.clear(person.id);
  else workspace.views.close(view);
  const told = closed.filter(({ draft }) => draft.notify_on_close === true && core.manifest.interactivity);
  const reactions = await Promise.all(
    told.map(async (one) => {
      const payload = {
        type: 'view_closed',
        ...commonFields(workspace, person),
        view: viewFacts(workspace, one, one.values),
        is_cleared: isCleared,
      };
      return reactionTo(await core.deliver({ kind: 'interactive', team: workspace.team.id, payload }));
    }),
  );
  return reactions[0] ?? { acknowledged: false, ack_ms: 0 };
}
