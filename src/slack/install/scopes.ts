/** What the app may do in a workspace, as its manifest asks for it, and in words for whoever installs it. */
export const botScopes = {
  'app_mentions:read': 'Read messages that mention it',
  'chat:write': 'Post messages, where it is a member',
  commands: 'Answer the command /vps, and shortcuts',
  'files:read': 'See the pictures that it has uploaded itself',
  'files:write': 'Upload pictures of graphs, and exports of the record',
  'usergroups:read': 'See who is in which user group, to know who may do what',
  'users:read': 'See who people are: members, guests, owners, and their time zones',
} as const satisfies Readonly<Record<string, string>>;
