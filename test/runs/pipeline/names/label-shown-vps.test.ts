import { expect, test } from 'vitest';
import { hostingOperations } from '../../../../src/operations/hosting-operations.ts';
import { findShownLabels } from '../../../../src/runs/pipeline/names/label-shown-vps.ts';

test('a reply that names only the VPS of its input needs no list, also with gaps in its values', async () => {
  const operation = hostingOperations().find('show');
  if (!operation) throw new Error('there is no show');
  const displayNames = { vps: 'web-01 (VPS-10001)' };
  const shown = {
    title: 'VPS-10001',
    chart: { points: [1, null, undefined, 3] },
    notes: ['VPS-10001 is busy'],
  };
  const unused = () => expect.unreachable();
  const context = { read: unused, workspace: { teamId: 'T1' }, loadAccess: unused } as never;
  const run = { operation, input: { vps: 'VPS-10001' }, displayNames };
  expect(await findShownLabels(shown, run, context)).toEqual(new Map([['VPS-10001', 'web-01 (VPS-10001)']]));
});
