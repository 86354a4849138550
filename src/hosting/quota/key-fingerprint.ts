import { createHmac } from 'node:crypto';

/**
 * Returns the identifier under which an API key's quota is counted: an HMAC-SHA256 in base64url. The secret
 * has no other use and is never rotated, because a key with two identifiers would get two quotas.
 */
export function fingerprintKey(secret: string | Uint8Array, apiKey: string): string {
  return createHmac('sha256', secret).update(apiKey).digest('base64url');
}
