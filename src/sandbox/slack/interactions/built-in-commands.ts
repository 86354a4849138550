import type { Core } from '../core.ts';
import { memberJoined } from '../happenings.ts';
import { encodeTyped } from '../typed-text.ts';
import { directoryOf, type Workspace } from '../world/workspace.ts';
import { type Reaction, refused } from './reaction.ts';
import type { Typed } from './slash.ts';

/** Runs one of Slack's own commands that matter to an app: `/invite`, `/remove` and `/archive`. */
export function builtInCommand(
  core: Core,
  workspace: Workspace,
  command: string,
  { channel, text, person }: Typed,
): Reaction | undefined {
  const done: Reaction = { acknowledged: true, ack_ms: 0 };
  const changed = () =>
    core.changes.publish({ kind: 'channel', team: workspace.team.id, channel: channel.id });
  if (command === '/archive') {
    channel.archived = true;
    changed();
    return done;
  }
  if (command !== '/invite' && command !== '/remove') return undefined;
  const named = personNamed(workspace, text);
  if (!named || channel.kind === 'im')
    return refused(`${command} takes a person of this workspace, such as @alice`);
  if (command === '/remove') channel.members.delete(named);
  else if (!channel.members.has(named)) {
    channel.members.add(named);
    memberJoined(core, workspace, channel, named, person.id);
  }
  changed();
  return done;
}

function personNamed(workspace: Workspace, text: string): string | undefined {
  const encoded = encodeTyped(text.trim(), directoryOf(workspace), { surface: 'message', escape: true });
  const id = /^<@([^|>]+)/.exec(encoded)?.[1];
  return id !== undefined && workspace.people.has(id) ? id : undefined;
}
