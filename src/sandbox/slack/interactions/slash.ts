import type { Core } from '../core.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { SlashCommand } from '../manifest.ts';
import { postAsSlackbot } from '../posting/post.ts';
import { respond } from '../posting/respond.ts';
import { encodeTyped } from '../typed-text.ts';
import { problemsOf, SlackError } from '../web-api/slack-error.ts';
import type { Channel } from '../world/channels.ts';
import { app, type Person } from '../world/seed.ts';
import { directoryOf, type Workspace } from '../world/workspace.ts';
import { builtInCommand } from './built-in-commands.ts';
import { type Reaction, reactionTo, refused } from './reaction.ts';

/** What somebody types into a channel's composer. */
export interface Typed {
  readonly person: Person;
  readonly channel: Channel;
  readonly text: string;
  /** Set in a thread. */
  readonly threadTs?: string | undefined;
}

/** Runs a slash command as typed; errors are shown to the person as Slack shows them. */
export async function slash(
  core: Core,
  workspace: Workspace,
  command: string,
  typed: Typed,
): Promise<Reaction> {
  const reaction = await run(core, workspace, command, typed);
  if (reaction.error) {
    const isDelivered = reaction.trigger_id !== undefined;
    const text = isDelivered ? `${command} failed with the error "${reaction.error}"` : reaction.error;
    postAsSlackbot(workspace, typed.channel, typed.person.id, text);
  }
  return reaction;
}

async function run(core: Core, workspace: Workspace, command: string, typed: Typed): Promise<Reaction> {
  const builtIn = builtInCommand(core, workspace, command, typed);
  if (builtIn) return builtIn;
  const declared = core.manifest.commands.find((known) => known.command === command);
  if (!declared || !workspace.installedBy) return refused(`${command} is not a valid command.`);
  if (typed.threadTs !== undefined) return refused(`${command} is not supported in threads. Sorry!`);
  const team = workspace.team.id;
  const triggerId = core.triggers.create({ team, user: typed.person.id, viewId: undefined });
  const target = { team, channel: typed.channel.id, user: typed.person.id };
  const links = { response_url: core.responseUrls.create(target), trigger_id: triggerId };
  const payload = payloadOf(workspace, declared, typed, links);
  const outcome = await core.deliver({ kind: 'slash_commands', team, payload });
  const reaction = reactionTo(outcome, triggerId);
  if (!outcome.ok || !isObject(outcome.payload) || Object.keys(outcome.payload).length === 0) return reaction;
  try {
    respond(core, workspace, target, outcome.payload);
    return reaction;
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    const refusal = 'invalid_command_response';
    outcome.exchange.learn({ refused: refusal, problems: problemsOf(error) });
    return { ...reaction, error: refusal };
  }
}

function payloadOf(
  workspace: Workspace,
  declared: SlashCommand,
  typed: Typed,
  links: JsonObject,
): JsonObject {
  const { person, channel, text } = typed;
  return {
    token: app.verificationToken,
    team_id: workspace.team.id,
    team_domain: workspace.team.domain,
    channel_id: channel.id,
    channel_name: channel.name,
    user_id: person.id,
    user_name: person.name,
    command: declared.command,
    text: encodeTyped(text.trim(), directoryOf(workspace), {
      surface: 'command',
      escape: declared.should_escape,
    }),
    api_app_id: app.id,
    // Socket Mode and forms alike carry it as text.
    is_enterprise_install: String(workspace.installedBy === 'organisation'),
    ...(workspace.enterprise && {
      enterprise_id: workspace.enterprise.id,
      enterprise_name: workspace.enterprise.name,
    }),
    ...links,
  };
}
