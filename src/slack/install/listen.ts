import type { App } from '@slack/bolt';
import type { Departure } from '../../workspaces/departure.ts';

/** Listens to what Slack says of the app's place in workspaces: that it, or its token, is gone. */
export function listenToDepartures(app: App, departure: Pick<Departure, 'uninstalled' | 'left'>): void {
  /** Of an organisation's installation Slack names the organisation, and perhaps one of its workspaces. */
  async function uninstalled({ teamId, enterpriseId, isEnterpriseInstall }: Place): Promise<void> {
    const id = isEnterpriseInstall ? enterpriseId : (teamId ?? enterpriseId);
    if (id !== undefined) await departure.uninstalled(id);
  }

  app.event('app_uninstalled', ({ context }) => uninstalled(context));

  app.event('tokens_revoked', async ({ event, context }) => {
    if (event.tokens.bot?.length) await uninstalled(context);
  });

  app.event('team_access_revoked', ({ event }) => departure.left(event.team_ids));
}

interface Place {
  readonly teamId?: string;
  readonly enterpriseId?: string;
  readonly isEnterpriseInstall: boolean;
}
