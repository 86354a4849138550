import type { Core } from '../core.ts';
import type { AppManifest } from '../manifest.ts';
import { app } from '../world/seed.ts';
import type { Workspace } from '../world/workspace.ts';
import { missingScope } from './channel-facts.ts';
import type { BotMethod } from './method.ts';
import { SlackError } from './slack-error.ts';

/**
 * Finds the workspace of a bot token; throws what Slack answers to other tokens. The token of an organisation works in many workspaces: the call names
 * one, unless the method is for them all.
 */
export function authorize(
  core: Core,
  token: string | undefined,
  { isForOrganisation }: Pick<BotMethod, 'isForOrganisation'>,
  teamId: unknown,
): Workspace {
  if (!token) throw new SlackError('not_authed');
  if (token === app.appToken) throw new SlackError('not_allowed_token_type');
  const known = core.workspaces().filter((candidate) => candidate.token === token);
  if (known.length === 0) throw new SlackError('invalid_auth');
  const [workspace, ...others] = known.filter(({ installedBy }) => installedBy !== null);
  if (!workspace) throw new SlackError('account_inactive');
  if (workspace.tokenRevoked) throw new SlackError('token_revoked');
  if (workspace.installedBy === 'workspace' || (isForOrganisation && teamId === undefined)) return workspace;
  if (teamId === undefined) throw new SlackError('missing_argument');
  const named = [workspace, ...others].find(({ team }) => team.id === teamId);
  if (!named) throw new SlackError('team_access_not_granted');
  return named;
}

/** Throws unless the token is the app-level one. */
export function requireAppToken(token: string | undefined): void {
  if (!token) throw new SlackError('not_authed');
  if (token === app.appToken) return;
  throw new SlackError(token.startsWith('xoxb-') ? 'not_allowed_token_type' : 'invalid_auth');
}

/** Throws `missing_scope` unless the manifest has one of the method's scopes. */
export function requireScopes(manifest: AppManifest, { scopes }: BotMethod): void {
  if (scopes.length > 0 && !scopes.some((scope) => manifest.scopes.has(scope))) {
    throw missingScope(manifest, scopes);
  }
}
