import type { JsonObject } from '../json.ts';
import type { AppManifest } from '../manifest.ts';
import type { Channel } from '../world/channels.ts';
import { app, type Person } from '../world/seed.ts';
import type { Workspace } from '../world/workspace.ts';

/** The fields that every interactive payload has. */
export function commonFields(
  { team, enterprise, installedBy }: Workspace,
  { id, name, teamId }: Person,
): JsonObject {
  const isOrgWide = installedBy === 'organisation';
  return {
    user: { id, username: name, name, team_id: teamId },
    api_app_id: app.id,
    token: app.verificationToken,
    // Where the app is installed org-wide, Slack names the organisation, and the workspace only as the person's.
    team: isOrgWide ? null : { id: team.id, domain: team.domain },
    enterprise,
    is_enterprise_install: isOrgWide,
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
