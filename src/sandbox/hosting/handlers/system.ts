import type * as endpoints from '../../../hosting/endpoints/system.ts';
import type { PartHandlers } from './handler.ts';
import { formatIsoTime } from './iso-time.ts';

export const systemHandlers: PartHandlers<typeof endpoints> = {
  getStatus: ({ key, nowMs }) => ({
    version: 'v1',
    service: 'Hosting sandbox',
    timestamp: formatIsoTime(nowMs),
    permissions: [...key.permissions],
  }),

  getMe: ({ account, key }) => ({
    user: account.owner,
    access: { permissions: key.permissions, quota_per_minute: key.quota },
  }),
};
