import { type ErrorCode, RackhandError } from '../../error.ts';
import { createHostingClient, type HostingKey } from '../../hosting/client.ts';
import { getStatus } from '../../hosting/endpoints/system.ts';
import type { Quota } from '../../hosting/quota/quota.ts';
import type { RequestSettings } from '../../hosting/request.ts';
import type { Transport } from '../../hosting/transport.ts';

/** What the service says of itself to a key. */
export interface KeyStatus {
  readonly service: string;
  readonly version: string;
  readonly permissions: readonly string[];
}

export type TriedKey =
  | { readonly ok: true; readonly status: KeyStatus }
  /** A sentence to stand beside the field. */
  | { readonly ok: false; readonly why: string };

/** Tries a key before anybody goes by it. */
export type TryKey = (key: HostingKey) => Promise<TriedKey>;

interface TrialParts {
  readonly settings: RequestSettings;
  readonly transport: Transport;
  readonly quota: Quota;
  readonly now: () => number;
}

/** Longest that a trial waits for a slot: the key may be in use already, and its quota used up. */
const longestWaitMs = 15_000;

const mayDoNothing =
  'The service accepts this key, but it may do nothing: give it permissions in the dashboard of the service.';

/** Creates what tries keys by `GET /v1`, each within its own quota, and with nothing remembered of earlier answers. */
export function createKeyTrial({ settings, transport, quota, now }: TrialParts): TryKey {
  const { host } = new URL(settings.baseUrl);
  const reasons = reasonsAt(host);

  return async (key) => {
    const client = createHostingClient(settings, key, { transport, quota });
    try {
      const status = await client.call(getStatus, {}, { lane: 'people', notAfterMs: now() + longestWaitMs });
      const { service, version, permissions } = status;
      if (permissions.length === 0) return { ok: false, why: mayDoNothing };
      return { ok: true, status: { service, version, permissions } };
    } catch (error) {
      const why = error instanceof RackhandError ? reasons[error.code] : undefined;
      if (why === undefined) throw error;
      return { ok: false, why };
    }
  };
}

function reasonsAt(host: string): Partial<Record<ErrorCode, string>> {
  const rejected = 'The service does not accept this key: it is mistyped, revoked, or of another service.';
  const notOurs = `What answers at ${host} is not the API of the hosting service: the setting HOSTING_API_URL may be wrong.`;
  const usedUp = 'The quota of this key is used up at the moment. Try again in a minute.';
  const notNow = `The hosting service at ${host} does not answer as it should. Try again in a few minutes.`;
  return {
    key_rejected: rejected,
    permission_missing: 'The service knows this key, and refuses it (403): give it permissions there.',
    not_found: notOurs,
    refused: notOurs,
    answer_not_json: notOurs,
    answer_unsuccessful: notOurs,
    answer_unexpected: notOurs,
    answer_too_large: notOurs,
    quota_exceeded: usedUp,
    deadline_passed: usedUp,
    service_unreachable: notNow,
    service_timeout: notNow,
    service_connection_lost: notNow,
    service_failed: notNow,
    stopped: 'Rackhand is being restarted. Try again in a minute.',
  };
}
