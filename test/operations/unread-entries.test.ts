import { expect, test } from 'vitest';
import { listEndpoints } from '../../src/operations/define/inspect-operation.ts';
import { hostingOperations } from '../../src/operations/hosting-operations.ts';
import { runRead } from './operation-harness.ts';

const reads = ['ips', 'snapshot list', 'vlan list', 'ip list', 'ssh list', 'webgate'];

/** Runs a read whose service sends `data` for every call. */
async function run(name: string, data: unknown) {
  const operation = hostingOperations().find(name);
  const answers = new Map((operation ? listEndpoints(operation) : []).map((endpoint) => [endpoint, data]));
  return runRead(name, { vps: 'VPS-10001' }, answers);
}

test.each(reads)('%s does not say that there is nothing if it recognizes nothing', async (name) => {
  const outcome = await run(name, { zonks: [{ zonk: true, frob: 'a b' }] });
  expect(`${outcome.title} ${outcome.notes?.join(' ')}`).not.toMatch(/\bno\b/i);
  expect(outcome.notes?.join(' ')).toContain('entries that Rackhand');
  expect(outcome.facts).toContainEqual({ label: 'Zonks 1 frob', value: 'a b' });
});

test.each(reads)('%s says that there is nothing if there is nothing', async (name) => {
  const outcome = await run(name, {});
  expect(`${outcome.title} ${outcome.notes?.join(' ')}`).toMatch(/\bno\b/i);
});
