import type { Core } from '../core.ts';
import type { AppManifest } from '../manifest.ts';
import { app } from '../world/seed.ts';
import type { Workspace } from '../world/workspace.ts';
import { missingScope } from './channel-facts.ts';
import type { BotMethod } from './method.ts';
import { SlackError } from './slack-error.ts';

/** Finds the workspace of a bot token; throws what Slack answers to other tokens. */
export function authorize(core: Core, token: string | undefined): Workspace {
  if (!token) throw new SlackError('not_authed');
  if (token === app.appToken) throw new SlackError('not_allowed_token_type');
  const workspace = core.workspaces().find((candidate) => candidate.token === token);
  if (!workspace) throw new SlackError('invalid_auth');
  if (workspace.tokenRevoked) throw new SlackError('token_revoked');
  return workspace;
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
