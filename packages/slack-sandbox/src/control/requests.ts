import type { Context } from 'hono';
import { z } from 'zod';
import { InvalidActionError } from '../acts/invalid-action-error.ts';
import { findApp } from '../apps/find-app.ts';
import type { Core } from '../core.ts';
import { findChannel, findOrCreateDirectMessage } from '../workspace/channels/channel-lookup.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { Person } from '../workspace/seed.ts';
import { createNameDirectory, type Workspace } from '../workspace/workspace.ts';

/** Fields that every request of the control API accepts: a workspace, and one of several apps. */
export const teamField = { team: z.string().optional(), app: z.string().optional() };
export const personFields = { ...teamField, user: z.string() };

/** The number of a change. Responses name the latest one. */
export const revision = z.coerce.number().int().nonnegative();

/** Parses a JSON body. If it is invalid, throws an error that says what is wrong in one sentence. */
export async function readBody<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  const body: unknown = await c.req.json().catch((error: Error) => {
    throw new InvalidActionError(`The body is not JSON: ${error.message}`);
  });
  return parseRequest(schema, body);
}

/** Parses the query. If it is invalid, throws an error that says what is wrong in one sentence. */
export function readQuery<Schema extends z.ZodType>(c: Context, schema: Schema): z.output<Schema> {
  return parseRequest(schema, c.req.query());
}

function parseRequest<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    (issue) => `${z.core.toDotPath(issue.path) || 'the body'}: ${issue.message}`,
  );
  throw new InvalidActionError(problems.join('; '));
}

/**
 * Returns a workspace by its ID, name or domain, or the first one if none is named. Throws if it
 * doesn't exist.
 */
export function resolveWorkspace(core: Core, team: string | undefined): Workspace {
  const workspace = core
    .workspaces()
    .find((each) => team === undefined || [each.team.id, each.team.name, each.team.domain].includes(team));
  if (!workspace) throw new InvalidActionError(`There is no workspace ${team}`, 404);
  return workspace;
}

/**
 * Returns the app with an ID or name. If none is named, returns the first one that serves the
 * request, or else the first one. Throws if there is no such app.
 */
export function resolveApp(
  core: Core,
  reference: string | undefined,
  serves: (app: Core) => boolean = () => true,
): Core {
  if (reference === undefined) return core.apps().find(serves) ?? core;
  const named = findApp(core.apps(), reference);
  if (named) return named;
  const names = core.apps().map(({ manifest }) => manifest.name);
  throw new InvalidActionError(`There is no app ${reference}; there are: ${names.join(', ')}`, 404);
}

export interface ActorReference {
  readonly team?: string | undefined;
  readonly user: string;
  readonly app?: string | undefined;
}

/**
 * Returns the person who acts, by ID or name, and the app's view of their workspace. Throws if there
 * is no such person.
 */
export function resolveActor(
  core: Core,
  { team, user, app: reference }: ActorReference,
  serves?: (app: Core) => boolean,
): { app: Core; workspace: Workspace; person: Person } {
  const app = resolveApp(core, reference, serves);
  const workspace = resolveWorkspace(app, team);
  const person = workspace.people.get(user) ?? findPersonByName(workspace, user);
  if (!person || person.role === 'bot')
    throw new InvalidActionError(`There is no person ${user} in ${workspace.team.id}`, 404);
  return { app, workspace, person };
}

function findPersonByName(workspace: Workspace, name: string): Person | undefined {
  const id = createNameDirectory(workspace).userByName(name.replace(/^@/, ''));
  return id === undefined ? undefined : workspace.people.get(id);
}

/**
 * Returns a channel by its ID or name. The actor's own user ID stands for their direct messages
 * with the app, and a bot's user ID for those with another app.
 */
export function resolveChannel(core: Core, workspace: Workspace, person: Person, reference: string): Channel {
  const own = findOrCreateDirectMessage(workspace, person.id, core.clock.now());
  if ([person.id, person.name, `@${person.name}`, own.id].includes(reference)) return own;
  for (const app of core.apps()) {
    const other = app.findWorkspace(workspace.team.id);
    const channel = other && findOrCreateDirectMessage(other, person.id, core.clock.now());
    if (channel && [channel.id, other.bot.userId].includes(reference)) return channel;
  }
  const channel = findChannel(workspace, reference);
  if (!channel) throw new InvalidActionError(`There is no channel ${reference} in ${workspace.team.id}`, 404);
  if (channel.kind === 'im')
    throw new InvalidActionError(`${reference} is not the direct message channel of ${person.id}`);
  return channel;
}
