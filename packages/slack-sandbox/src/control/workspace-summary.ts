import type { Core } from '../core.ts';
import type { JsonObject } from '../json.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Describes a workspace for clients that show it or act in it. */
export function toWorkspaceSummary(
  core: Core,
  { team, bot, people, channels, groups }: Workspace,
): JsonObject {
  const apps = core.apps().flatMap((app) => {
    const own = app.findWorkspace(team.id);
    return own ? [toAppSummary(app, own.bot)] : [];
  });
  return {
    team,
    teams: core
      .workspaces()
      .filter(({ enterprise, installedBy }) => installedBy || !enterprise)
      .map((workspace) => workspace.team),
    app: toAppSummary(core, bot),
    apps,
    people: [...people.values()].map(({ id, name, realName, role, teamId, tz }) => ({
      id,
      name,
      real_name: realName,
      role,
      team_id: teamId,
      tz,
    })),
    channels: [...channels.values()]
      .filter(({ kind }) => kind !== 'im')
      .map(({ id, name, kind, members, isArchived, sharedWith }) => ({
        id,
        name,
        members: [...members],
        has_app: apps.some(({ user_id }) => members.has(user_id)),
        is_archived: isArchived,
        is_private: kind !== 'public',
        is_shared: sharedWith.length > 0,
      })),
    groups: groups
      .filter(({ disabledSeconds }) => disabledSeconds === 0)
      .map(({ id, handle, name, users }) => ({ id, handle, name, users })),
    commands: core.apps().flatMap(({ manifest }) =>
      manifest.commands.map(({ command, description, usage_hint }) => ({
        command,
        description,
        usage_hint,
      })),
    ),
    shortcuts: core.apps().flatMap(({ manifest }) =>
      manifest.shortcuts.map(({ name, type, callback_id, description }) => ({
        name,
        type,
        callback_id,
        description,
        app: manifest.botName,
      })),
    ),
    functions: core.apps().flatMap(({ app, manifest }) =>
      Object.entries(manifest.functions).map(([callbackId, { title, description, input_parameters }]) => ({
        callback_id: callbackId,
        title,
        description,
        app_id: app.id,
        app: manifest.botName,
        inputs: Object.entries(input_parameters).map(([name, facts]) => ({ ...facts, name })),
      })),
    ),
    mcp_servers: core
      .apps()
      .flatMap(({ app, manifest }) =>
        Object.entries(manifest.mcpServers).map(([key, { url }]) => ({ key, url, app_id: app.id })),
      ),
  };
}

function toAppSummary({ app, manifest, sockets, isHttp }: Core, bot: Workspace['bot']) {
  return {
    id: app.id,
    number: app.number,
    app_token: app.appToken,
    name: manifest.botName,
    bot_id: bot.id,
    user_id: bot.userId,
    home_tab: manifest.hasHomeTab,
    messages_tab: manifest.messagesTab,
    is_assistant: manifest.isAssistant,
    delivery: isHttp ? 'http' : 'socket',
    connections: sockets.connectionCount(),
  };
}
