import { type ErrorCode, RackhandError } from '../../errors.ts';
import { createHostingClient, type HostingKey } from '../../hosting/client/hosting-client.ts';
import type { RequestSettings } from '../../hosting/client/request.ts';
import type { Transport } from '../../hosting/client/transport.ts';
import { getStatus } from '../../hosting/endpoints/system.ts';
import type { RateLimiter } from '../../hosting/quota/rate-limiter.ts';

/** What the service says about a valid key. */
export interface KeyStatus {
  readonly service?: string | undefined;
  readonly version?: string | undefined;
  readonly permissions: readonly string[];
}

export type KeyVerification =
  | { readonly kind: 'valid'; readonly status: KeyStatus }
  /** `reason` is a sentence for the input field. */
  | { readonly kind: 'invalid'; readonly reason: string };

export type VerifyKey = (key: HostingKey) => Promise<KeyVerification>;

interface VerifyKeyDependencies {
  readonly settings: RequestSettings;
  readonly transport: Transport;
  readonly rateLimiter: RateLimiter;
  readonly now: () => number;
}

/** Maximum wait (ms) for a quota slot. If the key is already in use, its quota may be used up. */
const maxWaitMs = 15_000;

const noPermissionsMessage =
  "The key is valid but has no permissions. Add some in the hosting service's dashboard.";

/**
 * Creates a function that verifies a key with `GET /v1`. The request counts against the key's own quota
 * and bypasses the cache.
 */
export function createKeyVerifier({
  settings,
  transport,
  rateLimiter,
  now,
}: VerifyKeyDependencies): VerifyKey {
  const { host } = new URL(settings.baseUrl);
  const reasons = createReasons(host);

  function findReason({ code, message }: RackhandError): string | undefined {
    // Only the rate limiter knows why the check had to wait.
    return code === 'deadline_passed' ? `${message} Try again in a minute.` : reasons[code];
  }

  return async (key) => {
    const client = createHostingClient(settings, key, { transport, rateLimiter, now });
    try {
      const status = await client.call(getStatus, {}, { lane: 'people', notAfterMs: now() + maxWaitMs });
      const { service, version, permissions } = status;
      if (permissions.length === 0) return { kind: 'invalid', reason: noPermissionsMessage };
      return { kind: 'valid', status: { service, version, permissions } };
    } catch (error) {
      const reason = error instanceof RackhandError ? findReason(error) : undefined;
      if (reason === undefined) throw error;
      return { kind: 'invalid', reason };
    }
  };
}

function createReasons(host: string): Partial<Record<ErrorCode, string>> {
  const rejected =
    'The hosting service rejected this key. It may be mistyped, revoked, or for another service.';
  const notHostingApi = `${host} doesn't answer like the hosting service's API. The setting HOSTING_API_URL may be wrong.`;
  const usedUp = "This key's quota is used up right now. Try again in a minute.";
  const unavailable = `The hosting service at ${host} isn't available right now. Try again in a few minutes.`;
  return {
    key_rejected: rejected,
    permission_missing:
      'The hosting service denied access to this key (HTTP 403). Add permissions in its dashboard.',
    access_denied: 'The hosting service denied access to this key (HTTP 403).',
    not_found: notHostingApi,
    refused: notHostingApi,
    response_not_json: notHostingApi,
    response_unsuccessful: notHostingApi,
    response_unexpected: notHostingApi,
    response_too_large: notHostingApi,
    quota_exceeded: usedUp,
    service_unreachable: unavailable,
    service_timeout: unavailable,
    service_connection_lost: unavailable,
    service_failed: unavailable,
    stopped: 'Rackhand is restarting. Try again in a minute.',
  };
}
