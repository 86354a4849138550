import { z } from 'zod';
import { nonEmptyString } from '../arguments.ts';
import { defineAppMethod, defineMethod } from '../method.ts';
import { toBotIcons, toTeamIcon } from '../objects/avatar.ts';
import { SlackError } from '../slack-error.ts';

export const apiTest = defineAppMethod({
  name: 'api.test',
  tier: 4,
  token: 'none',
  args: () => z.looseObject({ error: z.string().optional() }),
  run({ error, token: _, ...args }) {
    if (error) throw new SlackError(error, { args: { error, ...args } });
    return { args };
  },
});

export const authTest = defineMethod({
  name: 'auth.test',
  tier: 'special',
  isForOrganization: true,
  args: () => z.object({}),
  run(_args, _core, { app, team: ownTeam, enterprise, installedBy, bot, caller, people }) {
    const isOrgWide = installedBy === 'organization';
    // For an organization's token, the organization is named instead of the workspace.
    const team = enterprise && isOrgWide ? { ...enterprise, domain: 'initech-group.enterprise' } : ownTeam;
    return {
      url: `https://${team.domain}.slack.com/`,
      team: team.name,
      user: people.get(caller.userId)?.name,
      team_id: team.id,
      user_id: caller.userId,
      ...(!caller.isPerson && { bot_id: bot.id }),
      app_id: app.id,
      ...(enterprise && { enterprise_id: enterprise.id }),
      is_enterprise_install: isOrgWide,
    };
  },
});

export const appsConnectionsOpen = defineAppMethod({
  name: 'apps.connections.open',
  tier: 3,
  token: 'app',
  args: () => z.object({}),
  run(_args, { app, sockets, baseUrl }) {
    const url = new URL(`${baseUrl().replace(/^http/, 'ws')}/link/`);
    url.searchParams.set('ticket', sockets.createTicket());
    url.searchParams.set('app_id', app.id);
    return { url: url.href };
  },
});

export const teamInfo = defineMethod({
  name: 'team.info',
  tier: 3,
  scopes: ['team:read'],
  args: () => z.object({ team: nonEmptyString.optional() }),
  run({ team: asked }, { baseUrl }, { team }) {
    if (asked !== undefined && asked !== team.id) throw new SlackError('team_not_found');
    const { id, name, domain, emailDomain } = team;
    return {
      team: {
        ...{ id, name, domain, email_domain: emailDomain, url: `https://${domain}.slack.com/` },
        icon: toTeamIcon(baseUrl(), id),
      },
    };
  },
});

export const botsInfo = defineMethod({
  name: 'bots.info',
  tier: 3,
  scopes: ['users:read'],
  acceptsJson: false,
  args: () => z.object({ bot: nonEmptyString }),
  run({ bot: asked }, { baseUrl }, { people }) {
    const user = [...people.values()].find((person) => person.bot?.id === asked);
    if (!user?.bot) throw new SlackError('bot_not_found');
    const { id, appId } = user.bot;
    return {
      bot: {
        id,
        deleted: false,
        name: user.realName,
        updated: 0,
        app_id: appId,
        user_id: user.id,
        icons: toBotIcons(baseUrl(), id),
      },
    };
  },
});
