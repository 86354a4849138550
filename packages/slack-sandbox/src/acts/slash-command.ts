import type { Core } from '../core.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { AppManifest, SlashCommand } from '../manifest.ts';
import { applyResponse } from '../posting/apply-response.ts';
import { postAsSlackbot } from '../posting/post-message.ts';
import { encodeTypedText } from '../typed-text.ts';
import { formatProblems, SlackError } from '../web-api/slack-error.ts';
import { createNameDirectory, type Workspace } from '../workspace/workspace.ts';
import { type ActionResult, rejectedResult, toActionResult } from './action-result.ts';
import { addMember, removeMember, setArchived } from './change-channel.ts';
import type { ComposerInput } from './send-message.ts';

/** Runs a slash command as a person types it. The person sees errors like in Slack. */
export async function runSlashCommand(
  core: Core,
  workspace: Workspace,
  command: string,
  typed: ComposerInput,
): Promise<ActionResult> {
  const reaction = await deliverCommand(core, workspace, command, typed);
  if (reaction.error) {
    const isDelivered = reaction.trigger_id !== undefined;
    const text = isDelivered ? `${command} failed with the error "${reaction.error}"` : reaction.error;
    postAsSlackbot(workspace, typed.channel, typed.person.id, text);
  }
  return reaction;
}

async function deliverCommand(
  core: Core,
  workspace: Workspace,
  command: string,
  typed: ComposerInput,
): Promise<ActionResult> {
  const builtIn = runBuiltInCommand(core, workspace, command, typed);
  if (builtIn) return builtIn;
  const declared = findCommand(core.manifest, command);
  if (!declared || !workspace.installedBy) return rejectedResult(`${command} is not a valid command.`);
  if (typed.threadTs !== undefined) return rejectedResult(`${command} is not supported in threads. Sorry!`);
  const team = workspace.team.id;
  const triggerId = core.triggers.create({ team, user: typed.person.id, viewId: undefined });
  const target = { team, channel: typed.channel.id, user: typed.person.id };
  const links = { response_url: core.responseUrls.create(target), trigger_id: triggerId };
  const payload = buildPayload(workspace, declared, typed, links);
  const outcome = await core.deliver({ kind: 'slash_commands', team, payload });
  const reaction = toActionResult(outcome, triggerId);
  if (!outcome.ok || !isObject(outcome.payload) || Object.keys(outcome.payload).length === 0) return reaction;
  try {
    applyResponse(core, workspace, target, outcome.payload);
    return reaction;
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    const refusal = 'invalid_command_response';
    outcome.exchange.update({ refused: refusal, problems: formatProblems(error) });
    return { ...reaction, error: refusal };
  }
}

function findCommand({ commands, isPermissive }: AppManifest, command: string): SlashCommand | undefined {
  const undeclared = isPermissive ? { command, description: '', should_escape: false } : undefined;
  return commands.find((known) => known.command === command) ?? undeclared;
}

function buildPayload(
  workspace: Workspace,
  declared: SlashCommand,
  typed: ComposerInput,
  links: JsonObject,
): JsonObject {
  const { person, channel, text, smartPunctuation } = typed;
  return {
    token: workspace.app.verificationToken,
    team_id: workspace.team.id,
    team_domain: workspace.team.domain,
    channel_id: channel.id,
    channel_name: channel.name,
    user_id: person.id,
    user_name: person.name,
    command: declared.command,
    text: encodeTypedText(text.trim(), createNameDirectory(workspace), {
      surface: 'command',
      escape: declared.should_escape,
      smartPunctuation,
    }),
    api_app_id: workspace.app.id,
    // Slack sends this boolean as text, both over Socket Mode and in forms.
    is_enterprise_install: String(workspace.installedBy === 'organization'),
    ...(workspace.enterprise && {
      enterprise_id: workspace.enterprise.id,
      enterprise_name: workspace.enterprise.name,
    }),
    ...links,
  };
}

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
