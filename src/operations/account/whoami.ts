import { getMe, getStatus } from '../../hosting/endpoints/system.ts';
import { defineRead } from '../define/define-operation.ts';
import type { Fact } from '../define/outcome.ts';
import type { Read } from '../define/read.ts';
import { moreArgument } from '../format/facts.ts';
import { formatFields } from '../format/format-result.ts';

/** Maximum age (ms) of the API key's cached permissions. */
const maxPermissionsAgeMs = 5 * 60_000;

export const whoami = defineRead({
  name: 'whoami',
  heading: 'Who am I',
  summary: 'Show whose API key this is, and what it can do',
  arguments: { more: moreArgument() },
  isFilteredByRights: true,
  endpoints: [getMe],
  async run({ read }, { more }) {
    const step = { operation: 'whoami', input: {}, more };
    const { facts, secrets, more: next } = formatFields(await read(getMe, {}), step);
    return {
      title: "This workspace's API key",
      facts: [...facts, ...(hasPermissionsFact(facts) ? [] : [await fetchKeyPermissions(read)])],
      secrets,
      notes: facts.length === 0 ? ["The service doesn't show whose key it is."] : [],
      next: [
        { label: 'Status', operation: 'status', input: {} },
        { label: 'Quota', operation: 'quota', input: {} },
        ...next,
      ],
    };
  },
});

function hasPermissionsFact(facts: readonly Fact[]): boolean {
  return facts.some(({ label }) => /\bpermissions$/i.test(label));
}

async function fetchKeyPermissions(read: Read): Promise<Fact> {
  const { permissions } = await read(getStatus, {}, { maxAgeMs: maxPermissionsAgeMs });
  return { label: 'Key permissions', value: permissions.join(', ') || 'none' };
}
