import { addMember, removeMember, setArchived } from '../../channel-actions/change-channel.ts';
import type { Core } from '../../core.ts';
import { encodeTypedText } from '../../typed-text.ts';
import { createNameDirectory, type Workspace } from '../../workspace/workspace.ts';
import { type ActionResult, rejectedResult } from '../action-result.ts';
import type { ComposerInput } from './composer.ts';

/** Runs a built-in command of Slack that affects apps: `/invite`, `/remove` or `/archive`. */
export function runBuiltInCommand(
  core: Core,
  workspace: Workspace,
  command: string,
  { channel, text, person }: ComposerInput,
): ActionResult | undefined {
  const done: ActionResult = { acknowledged: true, ack_ms: 0 };
  if (command === '/archive') {
    setArchived(core, workspace, channel, person.id, true);
    return done;
  }
  if (command !== '/invite' && command !== '/remove') return undefined;
  const named = findMentionedPerson(workspace, text);
  if (!named || channel.kind === 'im')
    return rejectedResult(`${command} needs a person in this workspace, such as @alice`);
  if (command === '/remove') removeMember(core, workspace, channel, named);
  else if (!channel.members.has(named)) addMember(core, workspace, channel, named, person.id);
  return done;
}

function findMentionedPerson(workspace: Workspace, text: string): string | undefined {
  const encoded = encodeTypedText(text.trim(), createNameDirectory(workspace), {
    surface: 'message',
    escape: true,
  });
  const id = /^<@([^|>]+)/.exec(encoded)?.[1];
  return id !== undefined && workspace.people.has(id) ? id : undefined;
}
