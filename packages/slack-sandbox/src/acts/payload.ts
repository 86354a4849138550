import type { JsonObject } from '../json.ts';
import type { AppManifest } from '../manifest.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { Person } from '../workspace/seed.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Returns the fields that all interactive payloads have. */
export function commonPayloadFields(
  { app, team, enterprise, installedBy }: Workspace,
  { id, name, teamId }: Person,
): JsonObject {
  const isOrgWide = installedBy === 'organization';
  return {
    user: { id, username: name, name, team_id: teamId },
    api_app_id: app.id,
    token: app.verificationToken,
    // For an org-wide installation, Slack names the organization here. Only the user has the
    // workspace.
    team: isOrgWide ? null : { id: team.id, domain: team.domain },
    enterprise,
    is_enterprise_install: isOrgWide,
  };
}

/** Describes a conversation like interactive payloads do. */
export function toChannelField({ id, name }: Channel): JsonObject {
  return { id, name };
}

/** Returns the error that Slack shows if the app can't receive interactions, or undefined if it can. */
export function interactivityError({ isInteractive }: AppManifest): string | undefined {
  return isInteractive ? undefined : 'This app is not configured to handle interactive responses.';
}
