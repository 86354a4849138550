/** Callback ids of the views in which rights are shown and changed. */
export const accessCallbackIds = {
  overview: 'access',
  grant: 'access:grant',
  limit: 'access:limit',
} as const;

/** Ids of what can be pressed and chosen in them. */
export const accessActions = {
  openGrant: 'access:open-grant',
  openLimit: 'access:open-limit',
  revoke: 'access:revoke',
  lift: 'access:lift',
  groups: 'access:groups',
} as const;

/** Ids of the buttons of a request for a right. */
export const requestActions = { grant: 'request:grant', decline: 'request:decline' } as const;

/** Blocks of the fields. */
export const fields = {
  people: 'people',
  groups: 'groups',
  everyone: 'everyone',
  right: 'right',
  vps: 'vps',
  channel: 'channel',
} as const;

/** Id of the element in a field. */
export const valueAction = 'value';
