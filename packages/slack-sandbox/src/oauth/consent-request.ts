import { z } from 'zod';
import type { Core } from '../core.ts';
import { type InstallTarget, listInstallTargets } from './installation.ts';

/** The query of the URL with which an app opens Slack's install page. */
const querySchema = z.object({
  client_id: z.string().default(''),
  scope: z.string().default(''),
  user_scope: z.string().default(''),
  redirect_uri: z.string().optional(),
  state: z.string().optional(),
  team: z.string().optional(),
});

/** A validated consent request. */
export interface ConsentRequest {
  readonly scopes: readonly string[];
  /** The user scopes that the app asks for. */
  readonly userScopes: readonly string[];
  readonly redirectUri: string | undefined;
  /** The URL to which the person is redirected afterwards. */
  readonly returnTo: URL;
}

/** An invalid consent request. The message is the reason as Slack words it. */
export class InvalidConsentRequestError extends Error {}

/**
 * Parses the app's consent request. If the request is invalid, throws `InvalidConsentRequestError`
 * rather than redirecting, because its redirect URL can't be trusted.
 */
export function parseConsentRequest(
  { app, manifest, redirectUrls }: Core,
  given: Record<string, string>,
): ConsentRequest {
  const { client_id, scope, user_scope, redirect_uri, state } = querySchema.parse(given);
  if (client_id !== app.clientId) throw new InvalidConsentRequestError('Invalid client_id parameter');
  const [scopes, userScopes] = [splitScopes(scope), splitScopes(user_scope)];
  if (scopes.length + userScopes.length === 0) throw new InvalidConsentRequestError('No scopes requested');
  const unknown = [
    ...scopes.filter((name) => !manifest.scopes.has(name)),
    ...userScopes.filter((name) => !manifest.userScopes.has(name)),
  ];
  if (unknown.length > 0)
    throw new InvalidConsentRequestError(`Invalid permissions requested: ${unknown.join(', ')}`);
  const redirectTarget = redirect_uri ?? [...redirectUrls][0];
  if (redirectTarget === undefined || !isAllowedRedirect(redirectUrls, redirectTarget)) {
    throw new InvalidConsentRequestError(
      `redirect_uri did not match any configured URIs. Passed URI: ${redirect_uri ?? 'none'}`,
    );
  }
  const returnTo = new URL(redirectTarget);
  if (state !== undefined) returnTo.searchParams.set('state', state);
  return { scopes, userScopes, redirectUri: redirect_uri, returnTo };
}

function splitScopes(list: string): string[] {
  return list.split(/[\s,]+/).filter((name) => name !== '');
}

/** Returns whether Slack accepts a redirect URL. It accepts a configured URL and any path below it. */
function isAllowedRedirect(configured: ReadonlySet<string>, url: string): boolean {
  if (!URL.canParse(url)) return false;
  return [...configured].some(
    (base) => url === base || url.startsWith(base.endsWith('/') ? base : `${base}/`),
  );
}

/** A person who can install the app in a workspace or organization. */
export interface Installer {
  /** The form's value that stands for this person and target. */
  readonly value: string;
  readonly target: InstallTarget;
  readonly userId: string;
  readonly label: string;
}

/**
 * Lists the people who can install the app: owners and members in their workspace, but only owners
 * in their organization.
 */
export function listInstallers(core: Core): readonly Installer[] {
  return listInstallTargets(core).flatMap((target) => {
    const roles = target.enterprise ? ['owner'] : ['owner', 'member'];
    const people = target.workspaces.flatMap((workspace) => [...workspace.people.values()]);
    return people
      .filter(({ role }) => roles.includes(role))
      .map(({ id, realName, role }) => ({
        value: `${target.id}/${id}`,
        target,
        userId: id,
        label: `${realName} (${role})`,
      }));
  });
}
