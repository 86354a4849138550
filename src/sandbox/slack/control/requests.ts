import type { Context } from 'hono';
import { z } from 'zod';
import type { Core } from '../core.ts';
import { Impossible } from '../interactions/impossible.ts';
import { type Channel, directMessages, findChannel } from '../world/channels.ts';
import type { Person } from '../world/seed.ts';
import type { Workspace } from '../world/workspace.ts';

/** The workspace meant where none is named. */
const defaultTeam = 'T0ACME';

/** Fields that every request of the control API may have. */
export const teamField = { team: z.string().default(defaultTeam) };
export const personFields = { ...teamField, user: z.string() };

/** Reads a JSON body; throws what is wrong with it in one sentence. */
export async function readBody<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  const body: unknown = await c.req.json().catch((error: Error) => {
    throw new Impossible(`The body is not JSON: ${error.message}`);
  });
  return read(schema, body);
}

/** Reads the query; throws what is wrong with it in one sentence. */
export function readQuery<Schema extends z.ZodType>(c: Context, schema: Schema): z.output<Schema> {
  return read(schema, c.req.query());
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    (issue) => `${z.core.toDotPath(issue.path) || 'the body'}: ${issue.message}`,
  );
  throw new Impossible(problems.join('; '));
}

/** Finds a workspace; throws where there is none. */
export function workspaceOf(core: Core, team: string): Workspace {
  const workspace = core.workspace(team);
  if (!workspace) throw new Impossible(`There is no workspace ${team}`, 404);
  return workspace;
}

/** Finds who acts, and where they are; throws where there is no such person. */
export function actorOf(
  core: Core,
  { team, user }: { team: string; user: string },
): { workspace: Workspace; person: Person } {
  const workspace = workspaceOf(core, team);
  const person = workspace.people.get(user);
  if (!person || person.role === 'bot') throw new Impossible(`There is no person ${user} in ${team}`, 404);
  return { workspace, person };
}

/** Finds a channel by id or name. A person's id, which must be the actor's, means their direct messages with the app. */
export function channelOf(core: Core, workspace: Workspace, person: Person, reference: string): Channel {
  const own = directMessages(workspace, person.id, core.clock.now());
  if (reference === person.id || reference === own.id) return own;
  const channel = findChannel(workspace, reference);
  if (!channel) throw new Impossible(`There is no channel ${reference} in ${workspace.team.id}`, 404);
  if (channel.kind === 'im') throw new Impossible(`${reference} is not the direct messages of ${person.id}`);
  return channel;
}
