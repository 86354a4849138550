import type { Core } from '../core.ts';
import type { JsonObject } from '../json.ts';
import { sandboxApp } from '../workspace/seed.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Describes a workspace for clients that show it or act in it. */
export function toWorkspaceSummary(
  core: Core,
  { team, bot, people, channels, groups }: Workspace,
): JsonObject {
  const { manifest, sockets, isHttp } = core;
  return {
    team,
    teams: core
      .workspaces()
      .filter(({ enterprise, installedBy }) => installedBy || !enterprise)
      .map((workspace) => workspace.team),
    app: {
      id: sandboxApp.id,
      name: manifest.botName,
      bot_id: bot.id,
      user_id: bot.userId,
      home_tab: manifest.hasHomeTab,
      messages_tab: manifest.messagesTab,
      delivery: isHttp ? 'http' : 'socket',
      connections: sockets.connectionCount(),
    },
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
        has_app: members.has(bot.userId),
        is_archived: isArchived,
        is_private: kind !== 'public',
        is_shared: sharedWith.length > 0,
      })),
    groups: groups
      .filter(({ disabledSeconds }) => disabledSeconds === 0)
      .map(({ id, handle, name, users }) => ({ id, handle, name, users })),
    commands: manifest.commands.map(({ command, description, usage_hint }) => ({
      command,
      description,
      usage_hint,
    })),
    shortcuts: manifest.shortcuts.map(({ name, type, callback_id, description }) => ({
      name,
      type,
      callback_id,
      description,
    })),
  };
}
