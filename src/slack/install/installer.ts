import type { Logger } from '@slack/bolt';
import { InstallProvider, type Installation as SlackInstallation } from '@slack/oauth';
import type { SlackOauth } from '../../config.ts';
import type { Metrics } from '../../server/metrics.ts';
import type { Route } from '../../server/server.ts';
import type { Installation } from '../../workspaces/installation-store.ts';
import { notInstalled } from '../clients.ts';
import { renderPage, sendPage, setPageHeaders } from './page.ts';
import { failurePage, installedPage, installPage } from './pages.ts';
import { botScopes } from './scopes.ts';

/** Where an installation begins. */
export const installPath = '/slack/install';
const redirectPath = '/slack/oauth_redirect';

interface InstallerParts {
  readonly oauth: SlackOauth;
  readonly apiUrl: string;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'payloadRefused'>;
  /** Keeps an installation, and who made it. */
  readonly install: (installation: Installation, userId: string) => Promise<void>;
}

/** Creates the pages on which workspaces install the app: where it begins, and where Slack sends people back to. */
export function createInstaller({
  oauth,
  apiUrl,
  logger,
  metrics,
  install,
}: InstallerParts): readonly Route[] {
  const slackUrl = (path: string) => new URL(path, apiUrl).href;
  const provider = new InstallProvider({
    ...oauth,
    // Slack's library would send everybody to slack.com, whichever Slack the app is for.
    authorizationUrl: slackUrl('/oauth/v2/authorize'),
    clientOptions: { slackApiUrl: apiUrl },
    // It takes whatever a person does for an error; what is one is logged below.
    logger: { ...logger, error: () => undefined },
    installUrlOptions: { scopes: Object.keys(botScopes) },
    renderHtmlForInstallPath: (url) => renderPage(installPage(url)),
    installationStore: {
      storeInstallation: (installation) => install(read(installation), installation.user.id),
      // What Slack delivers finds its installation by itself.
      fetchInstallation: () => Promise.reject(notInstalled()),
    },
  });

  return [
    {
      method: 'GET',
      path: installPath,
      handle(request, response) {
        setPageHeaders(response);
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
            sendPage(response, 200, installedPage(read(installation), openUrl.href));
          },
          failure(error) {
            const { status, content, cause } = failurePage(error, installPath);
            if (cause === 'forgery') metrics.payloadRefused('install_state');
            if (cause === 'ours') logger.error('an installation failed', error);
            sendPage(response, status, content);
          },
        }),
    },
  ];
}

/** Makes an installation of ours of Slack's. One for a whole organisation names no workspace. */
function read({ team, enterprise, isEnterpriseInstall, bot }: SlackInstallation): Installation {
  const place = isEnterpriseInstall ? enterprise : team;
  if (!place || !bot) throw new Error('Slack named no workspace, or gave no token, for an installation');
  return {
    teamId: place.id,
    teamName: place.name ?? place.id,
    enterpriseId: enterprise?.id ?? null,
    botToken: bot.token,
    botId: bot.id,
    botUserId: bot.userId,
  };
}
