import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openData } from '../../src/hosting/endpoint.ts';
import { allOperations } from '../../src/operations/all.ts';
import { endpointsOf } from '../../src/operations/operation.ts';
import { payload } from '../hosting/payloads.ts';
import { answerOf, toldOf } from './answering.ts';

const hush = 'hush-4711';

/** Any payload that passes as `data`, with a secret in a place that its name gives away. */
const data = fc
  .tuple(payload, payload)
  .map(([items, beside]) => ({
    items,
    beside,
    root_password: hush,
    list: [{ name: 'a', api_token: hush }],
  }))
  .filter((value) => openData.safeParse(value).success);

const reads = ['vlan list', 'snapshot list', 'ip list', 'webgate', 'ssh list'];

describe.each(reads)('%s', (name) => {
  const operation = allOperations().find(name);

  test('answers whatever the service sends, and tells no secret', async () => {
    await fc.assert(
      fc.asyncProperty(data, async (sent) => {
        const endpoints = operation ? endpointsOf(operation) : [];
        const answers = new Map(endpoints.map((endpoint) => [endpoint, sent]));
        const outcome = await answerOf(name, { vps: 'VPS-10001' }, answers);
        expect(outcome.title).not.toBe('');
        expect(toldOf(outcome)).not.toContain(hush);
        expect(outcome.secrets?.some(({ value }) => value === hush)).toBe(true);
        const widths = outcome.table?.rows.map((row) => row.length) ?? [];
        expect(new Set([outcome.table?.columns.length, ...widths]).size).toBe(1);
      }),
    );
  });
});
