import type { Core } from '../core.ts';
import { toViewObject } from '../web-api/objects/view-object.ts';
import { findOrCreateDirectMessage } from '../workspace/channels/channel-lookup.ts';
import type { Person } from '../workspace/seed.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type ActionResult, toActionResult } from './action-result.ts';
import { InvalidActionError } from './invalid-action-error.ts';

/** Opens the app's Home tab. Sends `app_home_opened` if the app has subscribed to it. */
export async function openHome(core: Core, workspace: Workspace, person: Person): Promise<ActionResult> {
  if (!core.manifest.hasHomeTab) {
    throw new InvalidActionError(
      'The app has no Home tab: in the manifest, features.app_home needs home_tab_enabled: true',
    );
  }
  const home = workspace.views.getHome(person.id);
  const channel = findOrCreateDirectMessage(workspace, person.id, core.clock.now());
  const outcome = await core.events.send(workspace, {
    event: {
      type: 'app_home_opened',
      user: person.id,
      channel: channel.id,
      tab: 'home',
      ...(home && { view: toViewObject(workspace, home, home.values) }),
      event_ts: core.ids.ts(),
    },
    channel,
  });
  return outcome ? toActionResult(outcome) : { acknowledged: false, ack_ms: 0 };
}
