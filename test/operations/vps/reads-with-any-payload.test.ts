import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getBackupFtp } from '../../../src/hosting/endpoints/backup-ftp.ts';
import type { GetEndpoint } from '../../../src/hosting/endpoints/endpoint.ts';
import { getLiveMonitoring, getRrdMonitoring } from '../../../src/hosting/endpoints/monitoring.ts';
import { getVps, listVps, listVpsIpAddresses } from '../../../src/hosting/endpoints/vps.ts';
import { anyPayload } from '../../arbitraries/payload.ts';
import { runRead, serializePublicPart } from '../operation-harness.ts';

const secret = 'hush-4711';

const secretPlaces = { root_password: secret, list: [{ name: 'a', api_token: secret }] };

/**
 * Possible responses of a service: any payload, directly, in a list or by name, with a secret in a
 * field whose name suggests one.
 */
const sent = anyPayload.chain((inner) =>
  fc.constantFrom<unknown>(
    { items: inner, ...secretPlaces },
    [inner, { vps_name: 'VPS-10001', ...secretPlaces }],
    { 'VPS-10001': { state: inner, ...secretPlaces } },
  ),
);

const reads: readonly (readonly [name: string, endpoint: GetEndpoint])[] = [
  ['list', listVps],
  ['show', getVps],
  ['ips', listVpsIpAddresses],
  ['live', getLiveMonitoring],
  ['graph', getRrdMonitoring],
  ['backup show', getBackupFtp],
];

describe.each(reads)('%s', (name, endpoint) => {
  test('has an outcome without secrets, whatever the service sends', async () => {
    await fc.assert(
      fc.asyncProperty(sent, async (data) => {
        fc.pre(endpoint.data.safeParse(data).success);
        const outcome = await runRead(name, { vps: 'VPS-10001' }, new Map([[endpoint, data]]));
        expect(outcome.title).not.toBe('');
        expect(serializePublicPart(outcome)).not.toContain(secret);
      }),
    );
  });
});
