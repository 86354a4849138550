import type { Core } from '../core.ts';
import { findIncomingWebhook } from '../posting/incoming-webhook.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Returns the settings with which an app connects to a workspace, under their usual names. */
export function listAppSettings(core: Core, workspace: Workspace | undefined): Record<string, string> {
  const webhook = workspace && findIncomingWebhook(core, workspace);
  const [person] = workspace?.userGrants.values() ?? [];
  return {
    SLACK_API_URL: `${core.baseUrl()}/api/`,
    SLACK_BOT_TOKEN: workspace?.token ?? '',
    ...(person && { SLACK_USER_TOKEN: person.token }),
    SLACK_APP_TOKEN: core.app.appToken,
    SLACK_SIGNING_SECRET: core.app.signingSecret,
    SLACK_CLIENT_ID: core.app.clientId,
    SLACK_CLIENT_SECRET: core.app.clientSecret,
    ...(webhook && { SLACK_WEBHOOK_URL: webhook.url }),
  };
}
