import type { UserGroup } from './seed.ts';

/** A user group as it is now. */
export interface UserGroupState {
  readonly id: string;
  handle: string;
  name: string;
  description: string;
  users: readonly string[];
  /** Channels that its members join, by ID. */
  channels: readonly string[];
  readonly createdBy: string;
  updatedBy: string;
  readonly createdSeconds: number;
  updatedSeconds: number;
  /** When the group was disabled, or 0. */
  disabledSeconds: number;
}

/** Returns a group of the seed as it is at the start. Slackbot counts as its creator. */
export function createUserGroup({ id, handle, name, users }: UserGroup): UserGroupState {
  return {
    id,
    handle,
    name,
    users,
    description: '',
    channels: [],
    createdBy: 'USLACKBOT',
    updatedBy: 'USLACKBOT',
    createdSeconds: 0,
    updatedSeconds: 0,
    disabledSeconds: 0,
  };
}
