import { getMe, getStatus } from '../../hosting/endpoints/system.ts';
import { defineRead, type Read } from '../operation.ts';
import type { Fact } from '../outcome.ts';
import { tellResult } from '../tell-result.ts';

/** How old the key's permissions may be: they are known from what was asked before, or cost a call. */
const permissionsAgeMs = 5 * 60_000;

export const whoami = defineRead({
  name: 'whoami',
  heading: 'Who am I',
  summary: 'Show whose API key this is, and what it may do',
  arguments: {},
  isPartial: true,
  uses: [getMe],
  async run({ read }) {
    const { facts, secrets } = tellResult(await read(getMe, {}));
    return {
      title: 'The API key of this workspace',
      facts: [...facts, ...(tellsPermissions(facts) ? [] : [await permissionsOfKey(read)])],
      secrets,
      notes: facts.length === 0 ? ['The service says nothing about the user behind it.'] : [],
      next: [
        { label: 'Status', operation: 'status', input: {} },
        { label: 'Quota', operation: 'quota', input: {} },
      ],
    };
  },
});

function tellsPermissions(facts: readonly Fact[]): boolean {
  return facts.some(({ label }) => /\bpermissions$/i.test(label));
}

async function permissionsOfKey(read: Read): Promise<Fact> {
  const { permissions } = await read(getStatus, {}, { maxAgeMs: permissionsAgeMs });
  return { label: 'Permissions of the key', value: permissions.join(', ') || 'none' };
}
