import { expect, test } from 'vitest';
import { parseInput } from '../../../../src/operations/define/arguments/input.ts';
import { createCatalogue } from '../../../../src/operations/define/catalogue.ts';
import type { OperationContext } from '../../../../src/operations/define/operation.ts';
import { hostingOperations } from '../../../../src/operations/hosting-operations.ts';
import { expandTargets } from '../../../../src/runs/pipeline/names/expand-targets.ts';

const operation = createCatalogue(hostingOperations().groups).find('reboot several');

/** Expands the targets of a batch while the service's list has `pageCount` pages, of which one was read. */
async function expand(targets: string, pageCount: number) {
  if (operation?.kind !== 'change') throw new Error('no such change');
  const parsed = parseInput(operation, { targets: [targets] });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  const vps = [{ name: 'VPS-10001', hostname: 'web-01', status: 'running' }];
  const context = {
    read: async () => ({ vps, meta: { page: 1, pages: pageCount } }),
    loadAccess: async () => () => undefined,
  } as unknown as OperationContext;
  return expandTargets(operation, parsed, context);
}

test('a pattern is not expanded if the list of VPS was not read to its end', async () => {
  expect(await expand('web-*', 2)).toMatchObject({
    kind: 'invalid',
    problem: { message: expect.stringContaining("couldn't read the whole list") },
  });
});

test('a pattern that matches nothing is refused', async () => {
  expect(await expand('mail-*', 1)).toMatchObject({
    kind: 'invalid',
    problem: { message: expect.stringContaining('No VPS matches "mail-*"') },
  });
});

test('the ID of a VPS needs no list', async () => {
  expect(await expand('VPS-10001', 2)).toMatchObject({ kind: 'valid' });
});
