/** The scopes that the manifest requests. The install page shows the text of each. */
export const botScopes = {
  'app_mentions:read': 'Read messages that mention it',
  'chat:write': 'Post messages in channels it is a member of',
  commands: 'Answer the /vps command and shortcuts',
  'files:read': 'See the images it uploaded itself',
  'files:write': 'Upload graphs and exports of the activity log',
  'im:history': 'Read what people type to it in direct messages',
  'usergroups:read': 'See who is in which user group, to check permissions',
  'users:read': "See people's roles (member, guest, owner) and time zones",
} as const satisfies Readonly<Record<string, string>>;
