import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { undocumentedData } from '../../src/hosting/endpoints/endpoint.ts';
import { listEndpoints } from '../../src/operations/define/inspect-operation.ts';
import { hostingOperations } from '../../src/operations/hosting-operations.ts';
import { anyPayload } from '../arbitraries/payload.ts';
import { runRead, serializePublicPart } from './operation-harness.ts';

const secret = 'hush-4711';

const secretPlaces = { root_password: secret, list: [{ name: 'a', api_token: secret }] };

/** Any payload, directly, in a list or by name, with a secret in a field whose name suggests one. */
const data = fc
  .tuple(anyPayload, anyPayload)
  .chain(([items, beside]) =>
    fc.constantFrom<unknown>(
      { items, beside, ...secretPlaces },
      [items, { vps_name: 'VPS-10001', ...secretPlaces }],
      { 'VPS-10001': { state: items, ...secretPlaces } },
    ),
  )
  .filter((value) => undocumentedData.safeParse(value).success);

const lists = ['vlan list', 'snapshot list', 'ip list', 'webgate', 'ssh list'];
const others = ['list', 'show', 'ips', 'live', 'graph', 'backup show'];

describe.each([...lists, ...others])('%s', (name) => {
  const operation = hostingOperations().find(name);

  test('has an outcome without secrets, whatever the service sends', async () => {
    await fc.assert(
      fc.asyncProperty(data, async (sent) => {
        const endpoints = operation ? listEndpoints(operation) : [];
        fc.pre(endpoints.every((endpoint) => endpoint.data.safeParse(sent).success));
        const answers = new Map(endpoints.map((endpoint) => [endpoint, sent]));
        const outcome = await runRead(name, name === 'ssh list' ? {} : { vps: 'VPS-10001' }, answers);
        expect(outcome.title).not.toBe('');
        expect(serializePublicPart(outcome)).not.toContain(secret);
        if (lists.includes(name)) expect(outcome.secrets?.some(({ value }) => value === secret)).toBe(true);
        const widths = outcome.table?.rows.map((row) => row.length) ?? [];
        expect(new Set([outcome.table?.columns.length, ...widths]).size).toBe(1);
      }),
    );
  });
});
