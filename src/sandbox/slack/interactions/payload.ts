import type { JsonObject } from '../json.ts';
import type { AppManifest } from '../manifest.ts';
import type { Channel } from '../world/channels.ts';
import { app, type Person } from '../world/seed.ts';
import type { Workspace } from '../world/workspace.ts';

/** The fields that every interactive payload has. */
export function commonFields({ team }: Workspace, { id, name, teamId }: Person): JsonObject {
  return {
    user: { id, username: name, name, team_id: teamId },
    api_app_id: app.id,
    token: app.verificationToken,
    team: { id: team.id, domain: team.domain },
    enterprise: null,
    is_enterprise_install: false,
  };
}

/** A conversation as interactive payloads name it. */
export function channelField({ id, name }: Channel): JsonObject {
  return { id, name };
}

/** What Slack tells people who use what the app cannot answer; `undefined` where it can. */
export function interactivityOff({ interactivity }: AppManifest): string | undefined {
  return interactivity ? undefined : 'This app is not configured to handle interactive responses.';
}
