import type * as endpoints from '../../../hosting/endpoints/system.ts';
import type { HandlersOf } from '../handler.ts';
import { isoTime } from '../iso-time.ts';

/** Answers for the system. */
export const systemHandlers: HandlersOf<typeof endpoints> = {
  getStatus: ({ key, nowMs }) => ({
    version: 'v1',
    service: 'Hosting sandbox',
    timestamp: isoTime(nowMs),
    permissions: [...key.permissions],
  }),

  getMe: ({ account, key }) => ({
    user: account.owner,
    access: { permissions: key.permissions, quota_per_minute: key.quota },
  }),
};
