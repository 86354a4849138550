import { permissions } from '../../hosting/endpoints/endpoint.ts';
import { getStatus } from '../../hosting/endpoints/system.ts';
import { parseTimeMs } from '../../hosting/payloads/quantity.ts';
import { defineRead } from '../define/define-operation.ts';
import type { Value } from '../define/outcome.ts';

export const status = defineRead({
  name: 'status',
  heading: 'Status',
  summary: 'Check that the service answers, and show what the API key can do',
  arguments: {},
  isFilteredByRights: true,
  endpoints: [getStatus],
  async run({ read }) {
    const { service, version, timestamp, permissions: held } = await read(getStatus, {});
    const missing = permissions.filter((permission) => !held.includes(permission));
    return {
      title: `${service ?? 'The hosting service'} answers`,
      facts: [
        { label: 'API version', value: version ?? 'not shown' },
        { label: 'Service time', value: formatTime(timestamp) },
        { label: 'Key permissions', value: held.join(', ') || 'none' },
        { label: 'Missing permissions', value: missing.join(', ') || 'none' },
      ],
    };
  },
});

/** Returns the timestamp as a time or, if it can't be parsed, as the service's own text. */
function formatTime(timestamp: string | undefined): Value {
  const timeMs = parseTimeMs(timestamp);
  return timeMs === undefined ? (timestamp ?? 'not shown') : { kind: 'time', timeMs };
}
