/** Callback IDs of the modals for rights. */
export const accessCallbackIds = {
  overview: 'access',
  grant: 'access:grant',
  limit: 'access:limit',
} as const;

/** Action IDs of their buttons and selects. */
export const accessActionIds = {
  openGrant: 'access:open-grant',
  openLimit: 'access:open-limit',
  revoke: 'access:revoke',
  removeLimit: 'access:lift',
  groups: 'access:groups',
} as const;

export const accessFields = {
  people: 'people',
  groups: 'groups',
  everyone: 'everyone',
  right: 'right',
  vps: 'vps',
  channel: 'channel',
} as const;
