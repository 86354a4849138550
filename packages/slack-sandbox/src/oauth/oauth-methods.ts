import { z } from 'zod';
import type { Core } from '../core.ts';
import { sendTokensRevoked } from '../delivery/app-events.ts';
import type { JsonObject } from '../json.ts';
import { findIncomingWebhook } from '../posting/incoming-webhook.ts';
import { defineAppMethod, defineMethod } from '../web-api/method.ts';
import { SlackError } from '../web-api/slack-error.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { grantUserToken, toUserTokenFields } from './grant-user-token.ts';
import { installApp, listInstallTargets, uninstallApp } from './installation.ts';
import { rotateToken } from './rotating-tokens.ts';

const clientFields = { client_id: z.string().optional(), client_secret: z.string().optional() };

function assertClient(
  { app }: Core,
  { client_id, client_secret }: z.output<z.ZodObject<typeof clientFields>>,
): void {
  if (client_id !== app.clientId) throw new SlackError('invalid_client_id');
  if (client_secret !== app.clientSecret) throw new SlackError('bad_client_secret');
}

export const oauthV2Access = defineAppMethod({
  name: 'oauth.v2.access',
  tier: 4,
  token: 'none',
  args: () =>
    z.object({
      ...clientFields,
      code: z.string().optional(),
      redirect_uri: z.string().optional(),
      grant_type: z.string().default('authorization_code'),
      refresh_token: z.string().optional(),
    }),
  run({ code = '', redirect_uri, grant_type, refresh_token, ...client }, core: Core) {
    assertClient(core, client);
    if (grant_type === 'refresh_token') {
      const answer = refreshUserToken(core, refresh_token);
      if (answer) return answer;
      const found = core.workspaces().filter(({ rotation }) => rotation?.refreshToken === refresh_token);
      return rotateInstallation(core, found, 'invalid_refresh_token');
    }
    if (grant_type !== 'authorization_code') throw new SlackError('invalid_grant_type');
    const grant = core.authorizationCodes.redeem(code);
    if (!grant) throw new SlackError('invalid_code');
    if (grant.redirectUri !== redirect_uri) throw new SlackError('bad_redirect_uri');
    const place = listInstallTargets(core).find(({ id }) => id === grant.targetId);
    const [workspace] = place?.workspaces ?? [];
    if (!place || !workspace) throw new SlackError('invalid_code');
    const { team, enterprise, bot } = workspace;
    const webhook = grant.scopes.includes('incoming-webhook') && findIncomingWebhook(core, workspace);
    const installed = installApp(core, place);
    const own = place.workspaces.find(({ people }) => people.has(grant.userId)) ?? workspace;
    const userScopes = new Set(grant.userScopes);
    const personal =
      userScopes.size > 0 && grantUserToken(core, own, { userId: grant.userId, scopes: userScopes });
    return {
      app_id: core.app.id,
      authed_user: { id: grant.userId, ...(personal && toUserTokenFields(personal)) },
      ...(grant.scopes.length > 0 && {
        scope: grant.scopes.join(','),
        token_type: 'bot',
        ...installed,
        bot_user_id: bot.userId,
      }),
      team: place.enterprise ? null : { id: team.id, name: team.name },
      enterprise,
      is_enterprise_install: place.enterprise !== null,
      ...(webhook && {
        incoming_webhook: {
          channel: `#${webhook.channel.name}`,
          channel_id: webhook.channel.id,
          configuration_url: `${core.baseUrl()}/`,
          url: webhook.url,
        },
      }),
    };
  },
});

/** Exchanges a person's refresh token, or returns undefined if nobody has it. */
function refreshUserToken(core: Core, refreshToken: string | undefined): JsonObject | undefined {
  if (refreshToken === undefined) return undefined;
  for (const workspace of core.workspaces()) {
    const held = [...workspace.userGrants.values()].find((grant) => grant.refreshToken === refreshToken);
    if (!held || held.isRevoked || !workspace.installedBy) continue;
    const { id, name } = workspace.team;
    const fields = toUserTokenFields(grantUserToken(core, workspace, held));
    return { app_id: core.app.id, ...fields, team: { id, name } };
  }
  return undefined;
}

/** Exchanges a long-lived token for a pair of rotating tokens. */
export const oauthV2Exchange = defineAppMethod({
  name: 'oauth.v2.exchange',
  tier: 3,
  token: 'none',
  args: () => z.object({ ...clientFields, token: z.string().optional() }),
  run({ token, ...client }, core: Core) {
    assertClient(core, client);
    if (!core.manifest.rotatesTokens) throw new SlackError('token_rotation_not_enabled');
    const found = core.workspaces().filter((workspace) => !workspace.rotation && workspace.token === token);
    return rotateInstallation(core, found, 'invalid_token');
  },
});

/** Rotates the token of the workspaces that share it. */
function rotateInstallation(core: Core, found: readonly Workspace[], error: string) {
  const installed = found.filter((workspace) => workspace.installedBy && !workspace.isTokenRevoked);
  const [workspace] = installed;
  if (!workspace) throw new SlackError(error);
  const { team, enterprise, bot, installedBy } = workspace;
  const isOrgWide = installedBy === 'organization';
  const tokens = rotateToken(core, installed);
  return {
    app_id: core.app.id,
    scope: [...core.manifest.scopes].join(','),
    token_type: 'bot',
    ...tokens,
    bot_user_id: bot.userId,
    team: isOrgWide ? null : { id: team.id, name: team.name },
    enterprise,
    is_enterprise_install: isOrgWide,
  };
}

export const authRevoke = defineMethod({
  name: 'auth.revoke',
  acceptsJson: false,
  tier: 3,
  isForOrganization: true,
  args: () => z.object({ test: z.union([z.boolean(), z.string()]).optional() }),
  run({ test }, core, workspace) {
    const isTest = ['1', 'true', true].some((yes) => yes === test);
    const { userGrants, caller } = workspace;
    const grant = caller.isPerson && userGrants.get(caller.userId);
    if (!isTest && grant) {
      userGrants.set(grant.userId, { ...grant, isRevoked: true });
      sendTokensRevoked(core, workspace, { oauth: [grant.userId], bot: [] });
    } else if (!isTest) {
      sendTokensRevoked(core, workspace);
      for (const other of core.workspaces()) if (other.token === workspace.token) other.isTokenRevoked = true;
    }
    return { revoked: !isTest };
  },
});

export const appsUninstall = defineMethod({
  name: 'apps.uninstall',
  acceptsJson: false,
  tier: 2,
  isForOrganization: true,
  args: () => z.object(clientFields),
  run(client, core, workspace) {
    assertClient(core, client);
    uninstallApp(core, core.findWorkspace(workspace.team.id) ?? workspace, true);
    return { uninstalled: true };
  },
});
