import { createHmac } from 'node:crypto';

/**
 * Derives the name under which the quota knows an API key: HMAC-SHA256, base64url. The secret is one of its own and is
 * never rotated: a second name for the same key would have a second quota.
 */
export function fingerprintKey(secret: string | Uint8Array, apiKey: string): string {
  return createHmac('sha256', secret).update(apiKey).digest('base64url');
}
