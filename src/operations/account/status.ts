import { permissions } from '../../hosting/endpoint.ts';
import { getStatus } from '../../hosting/endpoints/system.ts';
import { defineRead } from '../operation.ts';

export const status = defineRead({
  name: 'status',
  heading: 'Status',
  summary: 'Show whether the service answers, and what the API key may do',
  arguments: {},
  isPartial: true,
  uses: [getStatus],
  async run({ read }) {
    const { service, version, timestamp, permissions: held } = await read(getStatus, {});
    const missing = permissions.filter((permission) => !held.includes(permission));
    return {
      title: `${service} answers`,
      facts: [
        { label: 'API version', value: version },
        { label: 'Time of the service', value: { timeMs: Date.parse(timestamp) } },
        { label: 'Permissions of the key', value: held.join(', ') || 'none' },
        { label: 'Permissions that it lacks', value: missing.join(', ') || 'none' },
      ],
    };
  },
});
