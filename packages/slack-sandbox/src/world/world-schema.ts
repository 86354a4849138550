import { z } from 'zod';

/** How Slack limits names of channels and handles of groups. */
const channelName = z
  .string()
  .regex(/^[\p{Ll}\p{Lo}\p{N}_-]{1,80}$/u, 'must be up to 80 lowercase letters, digits, "-" or "_"');
const name = z.string().min(1).max(80);
const timeZone = z.string().refine((zone) => isTimeZone(zone), 'must be a time zone such as Europe/Berlin');

/** A person in a description of workspaces. */
export const personSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9._-]{1,80}$/, 'must be lowercase letters, digits, ".", "-" or "_"'),
  real_name: name.optional(),
  role: z.enum(['owner', 'member', 'guest']).default('member'),
  email: z.email().optional(),
  tz: timeZone.default('Europe/London'),
});

const channelSchema = z.strictObject({
  name: channelName,
  /** Names of people and apps, and `app` for all apps. Everyone and all apps if left out. */
  members: z.array(z.string()).optional(),
  private: z.boolean().default(false),
  topic: z.string().max(250).default(''),
  purpose: z.string().max(250).default(''),
});

const groupSchema = z.strictObject({
  handle: channelName,
  name: name.optional(),
  members: z.array(z.string()).default([]),
});

const workspaceSchema = z.strictObject({
  name,
  domain: z
    .string()
    .regex(/^[a-z0-9-]{1,21}$/)
    .optional(),
  /** The bot token. If it is left out, one in Slack's format is generated. */
  token: z.string().startsWith('xoxb-').optional(),
  people: z.array(personSchema).min(1),
  channels: z.array(channelSchema).min(1),
  groups: z.array(groupSchema).default([]),
});

const appSchema = z.strictObject({
  /** Path of the manifest, from the folder of the description. */
  manifest: z.union([z.string().min(1), z.record(z.string(), z.unknown())]),
  delivery: z.union([z.literal('socket'), z.templateLiteral(['http:', z.string()])]).optional(),
});
const appsField = { apps: z.array(appSchema).default([]) };

const severalSchema = z.strictObject({ ...appsField, workspaces: z.array(workspaceSchema).min(1) });
const singleSchema = workspaceSchema
  .extend(appsField)
  .transform(({ apps, ...workspace }) => ({ apps, workspaces: [workspace] }));

export type WorkspaceDeclaration = z.output<typeof workspaceSchema>;
export type WorldDeclaration = z.output<typeof severalSchema>;

/** Returns the schema for several workspaces or for a single one, so that problems name single fields. */
export function chooseWorldSchema(value: object): z.ZodType<WorldDeclaration> {
  return 'workspaces' in value ? severalSchema : singleSchema;
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}
