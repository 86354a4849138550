import { z } from 'zod';
import type { Core } from '../core.ts';
import { app } from '../world/seed.ts';
import { type Place, placesOf } from './installing.ts';

/** What the app sends people to Slack's install page with. */
const query = z.object({
  client_id: z.string().default(''),
  scope: z.string().default(''),
  redirect_uri: z.string().optional(),
  state: z.string().optional(),
  team: z.string().optional(),
});

/** What somebody is asked to consent to. */
export interface Request {
  readonly scopes: readonly string[];
  readonly redirectUri: string | undefined;
  /** Where they are sent back to. */
  readonly returnTo: URL;
}

/** Why nobody can be asked, in Slack's words. */
export class Unaskable extends Error {}

/** Reads what the app asks for; throws `Unaskable`, since whoever asks wrongly cannot be trusted with an answer. */
export function readRequest({ manifest, redirectUrls }: Core, given: Record<string, string>): Request {
  const { client_id, scope, redirect_uri, state } = query.parse(given);
  if (client_id !== app.clientId) throw new Unaskable('Invalid client_id parameter');
  const scopes = scope.split(/[\s,]+/).filter((name) => name !== '');
  if (scopes.length === 0) throw new Unaskable('No scopes requested');
  const unknown = scopes.filter((name) => !manifest.scopes.has(name));
  if (unknown.length > 0) throw new Unaskable(`Invalid permissions requested: ${unknown.join(', ')}`);
  const target = redirect_uri ?? [...redirectUrls][0];
  if (target === undefined || !isWithin(redirectUrls, target)) {
    throw new Unaskable(
      `redirect_uri did not match any configured URIs. Passed URI: ${redirect_uri ?? 'none'}`,
    );
  }
  const returnTo = new URL(target);
  if (state !== undefined) returnTo.searchParams.set('state', state);
  return { scopes, redirectUri: redirect_uri, returnTo };
}

/** Slack takes a configured URL, and whatever lies below it. */
function isWithin(configured: ReadonlySet<string>, url: string): boolean {
  if (!URL.canParse(url)) return false;
  return [...configured].some(
    (base) => url === base || url.startsWith(base.endsWith('/') ? base : `${base}/`),
  );
}

/** Somebody who may install the app somewhere. */
export interface Installer {
  /** Names both in a form. */
  readonly value: string;
  readonly place: Place;
  readonly userId: string;
  readonly label: string;
}

/** Lists who may install the app where: members in their workspace, owners in their organisation, guests nowhere. */
export function installersOf(core: Core): readonly Installer[] {
  return placesOf(core).flatMap((place) => {
    const roles = place.enterprise ? ['owner'] : ['owner', 'member'];
    const people = place.workspaces.flatMap((workspace) => [...workspace.people.values()]);
    return people
      .filter(({ role }) => roles.includes(role))
      .map(({ id, realName, role }) => ({
        value: `${place.id}/${id}`,
        place,
        userId: id,
        label: `${realName} (${role})`,
      }));
  });
}
