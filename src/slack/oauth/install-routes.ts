import type { ServerResponse } from 'node:http';
import { type Logger, webApi } from '@slack/bolt';
import { InstallProvider, type Installation as SlackInstallation } from '@slack/oauth';
import type { SlackOauth } from '../../config.ts';
import { RackhandError } from '../../errors.ts';
import type { Metrics } from '../../http/metrics.ts';
import type { Route } from '../../http/server.ts';
import type { Installation } from '../../workspaces/installation-store.ts';
import { notInstalledError, slackTimeoutMs } from '../client/slack-clients.ts';
import { botScopes } from './bot-scopes.ts';
import { renderPage, sendPage, setPageHeaders } from './html-page.ts';
import { buildFailurePage, buildInstalledPage, buildInstallPage } from './install-pages.ts';
import { createStateStore, stateTtlMs, type UseState } from './state-store.ts';

export const installPath = '/slack/install';
const redirectPath = '/slack/oauth_redirect';

interface InstallRoutesDependencies {
  readonly oauth: SlackOauth;
  readonly apiUrl: string;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'requestRejected'>;
  /** Stores an installation and records who made it. */
  readonly install: (installation: Installation, userId: string) => Promise<void>;
  readonly useState: UseState;
}

export function createInstallRoutes({
  oauth,
  apiUrl,
  logger,
  metrics,
  install,
  useState,
}: InstallRoutesDependencies): readonly Route[] {
  const slackUrl = (path: string) => new URL(path, apiUrl).href;
  const revokeToken = (token: string) =>
    new webApi.WebClient(token, { slackApiUrl: apiUrl, logger, timeout: slackTimeoutMs }).auth.revoke();
  const { clientId, clientSecret, stateSecret } = oauth;
  const provider = new InstallProvider({
    clientId,
    clientSecret,
    stateStore: createStateStore(stateSecret, useState),
    stateCookieExpirationSeconds: stateTtlMs / 1_000,
    // Without this, @slack/oauth would always use slack.com, whatever `apiUrl` says.
    authorizationUrl: slackUrl('/oauth/v2/authorize'),
    clientOptions: { slackApiUrl: apiUrl },
    // @slack/oauth logs people's mistakes as errors. Our own failures are logged below.
    logger: { ...logger, error: () => undefined },
    installUrlOptions: { scopes: Object.keys(botScopes) },
    renderHtmlForInstallPath: (url) => renderPage(buildInstallPage(url)),
    installationStore: {
      async storeInstallation(granted) {
        const installation = toInstallation(granted);
        try {
          await install(installation, granted.user.id);
        } catch (error) {
          if (error instanceof RackhandError && error.code === 'install_refused') {
            // Slack has already installed the app, so the token has to be revoked.
            await revokeToken(installation.botToken).catch((cause: unknown) =>
              logger.error('the token of a refused installation could not be revoked', cause),
            );
          }
          throw error;
        }
      },
      // Not used, because `authorize` looks up each delivery's installation.
      fetchInstallation: () => Promise.reject(notInstalledError()),
    },
  });

  return [
    {
      method: 'GET',
      path: installPath,
      handle(request, response) {
        setPageHeaders(response);
        restrictCookies(response);
        return provider.handleInstallPath(request, response);
      },
    },
    {
      method: 'GET',
      path: redirectPath,
      handle: (request, response) =>
        provider.handleCallback(request, response, {
          success(installation) {
            const openUrl = new URL(slackUrl('/app_redirect'));
            if (installation.appId) openUrl.searchParams.set('app', installation.appId);
            if (installation.team) openUrl.searchParams.set('team', installation.team.id);
            sendPage(response, 200, buildInstalledPage(toInstallation(installation), openUrl.href));
          },
          failure(error) {
            const { status, content, cause } = buildFailurePage(error, installPath);
            if (cause === 'forgery') metrics.requestRejected('install_state');
            if (cause === 'ours') logger.error('an installation failed', error);
            sendPage(response, status, content);
          },
        }),
    },
  ];
}

/** An organization-wide installation names no workspace. */
function toInstallation({ team, enterprise, isEnterpriseInstall, bot }: SlackInstallation): Installation {
  const scope = isEnterpriseInstall ? enterprise : team;
  if (!scope || !bot) throw new Error('Slack sent an installation without a workspace or without a token');
  return {
    teamId: scope.id,
    teamName: scope.name ?? scope.id,
    enterpriseId: enterprise?.id ?? null,
    botToken: bot.token,
    ...(bot.refreshToken &&
      bot.expiresAt !== undefined && {
        rotation: { refreshToken: bot.refreshToken, expiresMs: bot.expiresAt * 1_000 },
      }),
    botId: bot.id,
    botUserId: bot.userId,
  };
}

/**
 * Adds SameSite to a response's cookies, because @slack/oauth leaves it out. `Lax` still sends the cookie
 * when Slack redirects the browser back.
 */
function restrictCookies(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) => {
    if (name.toLowerCase() !== 'set-cookie') return setHeader(name, value);
    return setHeader(
      name,
      [value].flat().map((cookie) => `${cookie}; SameSite=Lax`),
    );
  };
}
