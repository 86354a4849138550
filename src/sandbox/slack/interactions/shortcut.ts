import type { Core } from '../core.ts';
import { withReplies } from '../world/messages.ts';
import type { Person } from '../world/seed.ts';
import type { Workspace } from '../world/workspace.ts';
import { Impossible } from './impossible.ts';
import { channelField, commonFields } from './payload.ts';
import { type Reaction, reactionTo } from './reaction.ts';
import type { SeenMessage } from './surface.ts';

/** Uses a shortcut: a global one, or one of a message's menu. */
export async function shortcut(
  core: Core,
  workspace: Workspace,
  person: Person,
  callbackId: string,
  surface: SeenMessage | undefined,
): Promise<Reaction> {
  const type = surface ? 'message' : 'global';
  const declared = core.manifest.shortcuts.find(
    (known) => known.callback_id === callbackId && known.type === type,
  );
  if (!declared) throw new Impossible(`The manifest declares no ${type} shortcut ${callbackId}`, 404);
  if (surface?.isEphemeral) throw new Impossible('An ephemeral message has no shortcuts');
  const team = workspace.team.id;
  const triggerId = core.triggers.create({ team, user: person.id, viewId: undefined });
  const payload = {
    type: surface ? 'message_action' : 'shortcut',
    ...commonFields(workspace, person),
    callback_id: callbackId,
    trigger_id: triggerId,
    action_ts: core.mint.ts(),
    ...(surface && {
      channel: channelField(surface.channel),
      message: withReplies(surface.message, workspace.messages.list(surface.channel.id)),
      message_ts: surface.message.ts,
      response_url: core.responseUrls.create({ team, channel: surface.channel.id, user: person.id }),
    }),
  };
  return reactionTo(await core.deliver({ kind: 'interactive', team, payload }), triggerId);
}
