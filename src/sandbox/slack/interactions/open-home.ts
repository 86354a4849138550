import type { Core } from '../core.ts';
import { viewFacts } from '../web-api/view-facts.ts';
import { directMessages } from '../world/channels.ts';
import type { Person } from '../world/seed.ts';
import type { Workspace } from '../world/workspace.ts';
import { Impossible } from './impossible.ts';
import { type Reaction, reactionTo } from './reaction.ts';

/** Opens the app's Home tab. The app is told, if it subscribed to `app_home_opened`. */
export async function openHome(core: Core, workspace: Workspace, person: Person): Promise<Reaction> {
  if (!core.manifest.homeTab) {
    throw new Impossible(
      'The app has no Home tab: in the manifest, features.app_home needs home_tab_enabled: true',
    );
  }
  const home = workspace.views.homeOf(person.id);
  const channel = directMessages(workspace, person.id, core.clock.now());
  const outcome = await core.events.send(workspace, {
    event: {
      type: 'app_home_opened',
      user: person.id,
      channel: channel.id,
      tab: 'home',
      ...(home && { view: viewFacts(workspace, home, home.values) }),
      event_ts: core.mint.ts(),
    },
    channel,
  });
  return outcome ? reactionTo(outcome) : { acknowledged: false, ack_ms: 0 };
}
