import type { Core } from '../core.ts';
import { withReplySummary } from '../workspace/messages/message.ts';
import type { Person } from '../workspace/seed.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type ActionResult, toActionResult } from './action-result.ts';
import type { MessageSurface } from './interaction-surface.ts';
import { InvalidActionError } from './invalid-action-error.ts';
import { commonPayloadFields, toChannelField } from './payload.ts';

/** Runs a global shortcut or a message shortcut. */
export async function runShortcut(
  core: Core,
  workspace: Workspace,
  person: Person,
  callbackId: string,
  surface: MessageSurface | undefined,
): Promise<ActionResult> {
  const type = surface ? 'message' : 'global';
  const { shortcuts, isPermissive } = core.manifest;
  const isDeclared = shortcuts.some((known) => known.callback_id === callbackId && known.type === type);
  if (!isDeclared && !isPermissive)
    throw new InvalidActionError(`The manifest declares no ${type} shortcut ${callbackId}`, 404);
  if (surface?.isEphemeral) throw new InvalidActionError('An ephemeral message has no shortcuts');
  const team = workspace.team.id;
  const triggerId = core.triggers.create({ team, user: person.id, viewId: undefined });
  const payload = {
    type: surface ? 'message_action' : 'shortcut',
    ...commonPayloadFields(workspace, person),
    callback_id: callbackId,
    trigger_id: triggerId,
    action_ts: core.ids.ts(),
    ...(surface && {
      channel: toChannelField(surface.channel),
      message: withReplySummary(surface.message, workspace.messages.list(surface.channel.id)),
      message_ts: surface.message.ts,
      response_url: core.responseUrls.create({ team, channel: surface.channel.id, user: person.id }),
    }),
  };
  return toActionResult(await core.deliver({ kind: 'interactive', team, payload }), triggerId);
}
