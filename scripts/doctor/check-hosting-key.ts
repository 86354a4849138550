import type { Config } from '../../src/config.ts';
import { RackhandError } from '../../src/errors.ts';
import { createHostingClient } from '../../src/hosting/client/hosting-client.ts';
import { createTransport } from '../../src/hosting/client/transport.ts';
import { getStatus } from '../../src/hosting/endpoints/system.ts';
import { createRateLimiter, defaultQuotaLimit } from '../../src/hosting/quota/rate-limiter.ts';
import type { CheckLine } from './check-line.ts';

const check = 'hosting key';

/** Checks HOSTING_API_KEY with the call that connecting a key makes. */
export async function checkHostingKey({
  workspace,
  hosting,
}: Pick<Config, 'workspace' | 'hosting'>): Promise<CheckLine> {
  const apiKey = workspace?.apiKey;
  if (!apiKey) {
    return { check, status: 'OK', message: 'HOSTING_API_KEY is not set. Keys are connected in Slack.' };
  }
  const transport = createTransport();
  const rateLimiter = await createRateLimiter({ callTimeoutMs: transport.limits.callTimeoutMs });
  const key = { apiKey, fingerprint: 'doctor', limit: defaultQuotaLimit };
  const client = createHostingClient(hosting, key, { transport, rateLimiter });
  try {
    const { permissions } = await client.call(getStatus, {}, { lane: 'people' });
    return permissions.length === 0
      ? { check, status: 'error', message: 'The key has no permissions. Add some at the hosting service.' }
      : { check, status: 'OK', message: `The key has these permissions: ${permissions.join(', ')}.` };
  } catch (error) {
    if (!(error instanceof RackhandError)) throw error;
    return {
      check,
      status: 'error',
      message: `The check failed (${error.code}). Check HOSTING_API_KEY, HOSTING_KEY_HEADER and HOSTING_API_URL.`,
    };
  } finally {
    await rateLimiter.close();
    await transport.close();
  }
}
