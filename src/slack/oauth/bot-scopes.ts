export interface BotScope {
  /** What the scope allows, as the install page says. */
  readonly allows: string;
  /** What doesn't work without the scope. Set only if a workspace can decline the scope. */
  readonly without?: string;
}

/** The scopes that the manifest requests. Slack asks the installer about each optional one. */
export const botScopes = {
  'app_mentions:read': { allows: 'Read messages that mention it' },
  'chat:write': { allows: 'Post messages in channels it is a member of' },
  commands: { allows: 'Answer the /vps command and shortcuts' },
  'files:read': {
    allows: 'See the images it uploaded itself',
    without: 'graphs are shown as text',
  },
  'files:write': {
    allows: 'Upload graphs and exports of the activity log',
    without: "graphs are shown as text, and tables and exports can't be sent",
  },
  'im:history': {
    allows: 'Read what people type to it in direct messages',
    without: 'direct messages to the app get no answer; /vps works there',
  },
  'usergroups:read': {
    allows: 'See who is in which user group, to check permissions',
    without: "rights can't be granted to user groups",
  },
  'users:read': { allows: "See people's roles (member, guest, owner) and time zones" },
} as const satisfies Readonly<Record<string, BotScope>>;
