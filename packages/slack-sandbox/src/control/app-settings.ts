import type { Core } from '../core.ts';
import { sandboxApp } from '../workspace/seed.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Returns the settings with which an app connects to a workspace, under their usual names. */
export function listAppSettings(core: Core, workspace: Workspace | undefined): Record<string, string> {
  return {
    SLACK_API_URL: `${core.baseUrl()}/api/`,
    SLACK_BOT_TOKEN: workspace?.token ?? '',
    SLACK_APP_TOKEN: sandboxApp.appToken,
    SLACK_SIGNING_SECRET: sandboxApp.signingSecret,
    SLACK_CLIENT_ID: sandboxApp.clientId,
    SLACK_CLIENT_SECRET: sandboxApp.clientSecret,
  };
}
