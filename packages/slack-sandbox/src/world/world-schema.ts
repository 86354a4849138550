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
  /** Names of people, and `app` for the app. Everyone and the app if left out. */
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
  /** The bot token. One in the form of Slack's is made if it is left out. */
  token: z.string().startsWith('xoxb-').optional(),
  people: z.array(personSchema).min(1),
  channels: z.array(channelSchema).min(1),
  groups: z.array(groupSchema).default([]),
});

const severalSchema = z.strictObject({ workspaces: z.array(workspaceSchema).min(1) });
const singleSchema = workspaceSchema.transform((workspace) => ({ workspaces: [workspace] }));

export type WorkspaceDeclaration = z.output<typeof workspaceSchema>;

/** Returns the schema for several workspaces or for a single one, so that problems name single fields. */
export function chooseWorldSchema(value: object): z.ZodType<{ workspaces: WorkspaceDeclaration[] }> {
  return 'workspaces' in value ? severalSchema : singleSchema;
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}
