import type { Core } from '../core.ts';
import type { FunctionExecution } from '../functions/function-executions.ts';
import type { AppManifest } from '../manifest.ts';
import { findTokenExpiry } from '../workspace/token-rotation.ts';
import { findUserGrant, type UserGrant } from '../workspace/user-grants.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type CallerView, viewAsFunction, viewAsPerson } from './caller-view.ts';
import type { BotMethod } from './method.ts';
import { missingScopeError } from './objects/channel-object.ts';
import { SlackError } from './slack-error.ts';

/**
 * Returns the workspace of a bot token or a user token, as the caller sees it. Throws Slack's error for other tokens. An organization's
 * token works in many workspaces, so the call must name one, unless the method is org-wide.
 */
export function authorize(
  core: Core,
  token: string | undefined,
  { isForOrganization, callers }: Pick<BotMethod, 'isForOrganization' | 'callers'>,
  teamId: unknown,
): CallerView {
  if (!token) throw new SlackError('not_authed');
  if (token === core.app.appToken) throw new SlackError('not_allowed_token_type');
  for (const workspace of core.workspaces()) {
    const grant = findUserGrant(workspace, token);
    if (grant) return authorizePerson(core, workspace, grant, callers);
  }
  const view = authorizeApp(core, token, isForOrganization, teamId);
  if (callers === 'people') throw new SlackError('not_allowed_token_type');
  return view;
}

function authorizeApp(core: Core, token: string, isForOrganization: boolean, teamId: unknown): CallerView {
  for (const workspace of core.workspaces()) {
    const execution = findFunctionExecution(workspace, token);
    if (execution) return viewAsFunction(core, workspace, execution.id);
  }
  return { core, workspace: findBotWorkspace(core, token, isForOrganization, teamId) };
}

function authorizePerson(
  core: Core,
  workspace: Workspace,
  grant: UserGrant,
  callers: BotMethod['callers'],
): CallerView {
  const isActive = workspace.people.get(grant.userId)?.role !== 'deactivated';
  if (workspace.installedBy === null || !isActive) throw new SlackError('account_inactive');
  if (grant.isRevoked) throw new SlackError('token_revoked');
  if (grant.expiresMs <= core.clock.now()) throw new SlackError('token_expired');
  if (callers === 'bots') throw new SlackError('not_allowed_token_type');
  return viewAsPerson(core, workspace, grant);
}

function findBotWorkspace(core: Core, token: string, isForOrganization: boolean, teamId: unknown): Workspace {
  const known = core.workspaces().filter((candidate) => findTokenExpiry(candidate, token) !== undefined);
  if (known.length === 0) throw new SlackError('invalid_auth');
  const [workspace, ...others] = known.filter(({ installedBy }) => installedBy !== null);
  if (!workspace) throw new SlackError('account_inactive');
  if (workspace.isTokenRevoked) throw new SlackError('token_revoked');
  if ((findTokenExpiry(workspace, token) ?? 0) <= core.clock.now()) throw new SlackError('token_expired');
  if (workspace.installedBy === 'workspace' || (isForOrganization && teamId === undefined)) return workspace;
  if (teamId === undefined) throw new SlackError('missing_argument');
  const named = [workspace, ...others].find(({ team }) => team.id === teamId);
  if (!named) throw new SlackError('team_access_not_granted');
  return named;
}

/** Returns the run of a function with which a token was sent to the app. */
function findFunctionExecution(
  { functionExecutions, installedBy, isTokenRevoked }: Workspace,
  token: string,
): FunctionExecution | undefined {
  if (installedBy === null || isTokenRevoked) return undefined;
  return [...functionExecutions.values()].find((execution) => execution.token === token);
}

/** Throws unless the token is the app-level token. */
export function assertAppToken(core: Core, token: string | undefined): void {
  if (!token) throw new SlackError('not_authed');
  if (token === core.app.appToken) return;
  throw new SlackError(/^(xoxe\.)?xoxb-/.test(token) ? 'not_allowed_token_type' : 'invalid_auth');
}

/** Throws `missing_scope` unless the manifest has at least one of the method's scopes. */
export function assertScopes(manifest: AppManifest, { scopes }: BotMethod): void {
  if (scopes.length > 0 && !scopes.some((scope) => manifest.scopes.has(scope))) {
    throw missingScopeError(manifest, scopes);
  }
}
