import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { undocumentedData } from '../../src/hosting/endpoints/endpoint.ts';
import { listEndpoints } from '../../src/operations/define/inspect-operation.ts';
import { hostingOperations } from '../../src/operations/hosting-operations.ts';
import { anyPayload } from '../arbitraries/payload.ts';
import { runRead, serializePublicPart } from './operation-harness.ts';

const secret = 'hush-4711';

/** Any payload that is valid as `data`, with a secret in a field whose name suggests one. */
const data = fc
  .tuple(anyPayload, anyPayload)
  .map(([items, beside]) => ({
    items,
    beside,
    root_password: secret,
    list: [{ name: 'a', api_token: secret }],
  }))
  .filter((value) => undocumentedData.safeParse(value).success);

const reads = ['vlan list', 'snapshot list', 'ip list', 'webgate', 'ssh list'];

describe.each(reads)('%s', (name) => {
  const operation = hostingOperations().find(name);

  test('has an outcome without secrets, whatever the service sends', async () => {
    await fc.assert(
      fc.asyncProperty(data, async (sent) => {
        const endpoints = operation ? listEndpoints(operation) : [];
        const answers = new Map(endpoints.map((endpoint) => [endpoint, sent]));
        const outcome = await runRead(name, { vps: 'VPS-10001' }, answers);
        expect(outcome.title).not.toBe('');
        expect(serializePublicPart(outcome)).not.toContain(secret);
        expect(outcome.secrets?.some(({ value }) => value === secret)).toBe(true);
        const widths = outcome.table?.rows.map((row) => row.length) ?? [];
        expect(new Set([outcome.table?.columns.length, ...widths]).size).toBe(1);
      }),
    );
  });
});
