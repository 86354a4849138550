import type { App } from '@slack/bolt';
import type { Uninstaller } from '../../workspaces/uninstaller.ts';

/** Handles workspaces that remove the app or revoke its token. */
export function listenToUninstalls(
  app: App,
  uninstaller: Pick<Uninstaller, 'handleUninstalled' | 'handleWorkspacesRemoved'>,
): void {
  /**
   * Reports the uninstalled installation by its ID. For an organization's installation, Slack names
   * the organization and sometimes one of its workspaces.
   */
  async function handleUninstalled({
    teamId,
    enterpriseId,
    isEnterpriseInstall,
  }: UninstallContext): Promise<void> {
    const id = isEnterpriseInstall ? enterpriseId : (teamId ?? enterpriseId);
    if (id !== undefined) await uninstaller.handleUninstalled(id);
  }

  app.event('app_uninstalled', ({ context }) => handleUninstalled(context));

  app.event('tokens_revoked', async ({ event, context }) => {
    if (event.tokens.bot?.length) await handleUninstalled(context);
  });

  app.event('team_access_revoked', ({ event }) => uninstaller.handleWorkspacesRemoved(event.team_ids));
}

interface UninstallContext {
  readonly teamId?: string;
  readonly enterpriseId?: string;
  readonly isEnterpriseInstall: boolean;
}
