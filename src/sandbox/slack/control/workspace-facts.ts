import type { Core } from '../core.ts';
import type { JsonObject } from '../json.ts';
import { app } from '../world/seed.ts';
import type { Workspace } from '../world/workspace.ts';

/** Describes a workspace for whoever wants to show it or act in it. */
export function workspaceFacts(core: Core, { team, bot, people, channels, groups }: Workspace): JsonObject {
  const { manifest, sockets, isHttp } = core;
  return {
    team,
    teams: core
      .workspaces()
      .filter(({ enterprise, installedBy }) => installedBy || !enterprise)
      .map((workspace) => workspace.team),
    app: {
      id: app.id,
      name: manifest.botName,
      bot_id: bot.id,
      user_id: bot.userId,
      home_tab: manifest.homeTab,
      messages_tab: manifest.messagesTab,
      delivery: isHttp ? 'http' : 'socket',
      connections: sockets.connections(),
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
      .filter(({ kind }) => kind === 'public')
      .map(({ id, name, members, archived, sharedWith }) => ({
        id,
        name,
        members: [...members],
        has_app: members.has(bot.userId),
        is_archived: archived,
        is_shared: sharedWith.length > 0,
      })),
    groups,
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
