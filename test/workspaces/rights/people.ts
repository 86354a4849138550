import type { Directory, Standing } from '../../../src/workspaces/rights/directory.ts';

interface People {
  readonly standings?: Readonly<Record<string, Standing>>;
  readonly groups?: Readonly<Record<string, readonly string[] | 'unknown'>>;
  readonly admins?: readonly string[];
}

/** A workspace in which everybody is a member of whom nothing else is said. */
export function directoryOf({ standings = {}, groups = {}, admins = [] }: People = {}): Directory {
  return {
    standingOf: async ({ userId }) => standings[userId] ?? (admins.includes(userId) ? 'admin' : 'member'),
    async membersOf(_, groupId) {
      const members = groups[groupId];
      if (members === undefined) return 'no such group';
      return members === 'unknown' ? members : new Set(members);
    },
    nameOf: async (_, id) => `name of ${id}`,
    groupsOf: async () => [],
    adminsOf: async () => admins,
  };
}
