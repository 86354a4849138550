import type { MemberDirectory, MemberType } from '../../src/auth/member-directory.ts';

interface DirectoryMembers {
  readonly memberTypes?: Readonly<Record<string, MemberType>>;
  readonly groups?: Readonly<Record<string, readonly string[] | 'unknown'>>;
  readonly admins?: readonly string[];
}

/** Fakes a workspace in which everyone is a member, unless the arguments say otherwise. */
export function createMemberDirectory({
  memberTypes = {},
  groups = {},
  admins = [],
}: DirectoryMembers = {}): MemberDirectory {
  return {
    findMemberType: async ({ userId }) =>
      memberTypes[userId] ?? (admins.includes(userId) ? 'admin' : 'member'),
    async listGroupMembers(_, groupId) {
      const members = groups[groupId];
      if (members === undefined) return { kind: 'notFound' };
      return members === 'unknown' ? { kind: 'unknown' } : { kind: 'found', value: new Set(members) };
    },
    findDisplayName: async (_, id) => `name of ${id}`,
    listMembers: async () => ({
      kind: 'found',
      value: [...admins, ...Object.keys(memberTypes)].map((id) => ({ id, name: `name of ${id}` })),
    }),
    listUserGroups: async () => ({ kind: 'found', value: [] }),
    listAdmins: async () => ({ kind: 'found', value: admins }),
  };
}
