import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openData } from '../../src/hosting/endpoint.ts';
import { allOperations } from '../../src/operations/all.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { payload } from '../hosting/payloads.ts';
import { answerOf, toldOf } from './answering.ts';

const hush = 'hush-4711';

/** Any payload that passes as `data`, with a secret in a place that its name gives away. */
const data = fc
  .tuple(payload, payload)
  .map(([inner, beside]) => ({
    items: inner,
    beside,
    root_password: hush,
    list: [{ name: 'a', api_token: hush }],
  }))
  .filter((value) => openData.safeParse(value).success);

const reads = allOperations()
  .groups.flatMap(({ operations }) => operations)
  .filter((operation) => operation.kind === 'read')
  .filter(({ name }) => ['vlan list', 'snapshot list', 'ip list', 'webgate', 'ssh list'].includes(name));

describe.each(reads.map((operation: Operation) => [operation.name, operation] as const))(
  '%s',
  (name, operation) => {
    test('answers whatever the service sends, and tells no secret', async () => {
      if (operation.kind !== 'read') return;
      await fc.assert(
        fc.asyncProperty(data, async (sent) => {
          const answers = new Map(operation.uses.map((endpoint) => [endpoint, sent]));
          const outcome = await answerOf(name, { vps: 'VPS-10001' }, answers);
          expect(outcome.title).not.toBe('');
          expect(toldOf(outcome)).not.toContain(hush);
          expect(outcome.secrets?.some(({ value }) => value === hush)).toBe(true);
          const widths = outcome.table?.rows.map((row) => row.length) ?? [];
          expect(new Set([outcome.table?.columns.length, ...widths]).size).toBe(1);
        }),
      );
    });
  },
);
