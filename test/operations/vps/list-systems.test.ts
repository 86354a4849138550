import { expect, test } from 'vitest';
import { getReinstallOptions } from '../../../src/hosting/endpoints/vps.ts';
import { requiredRight } from '../../../src/operations/define/inspect-operation.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import { runRead } from '../operation-harness.ts';

const list = (data: unknown) =>
  runRead('os list', { vps: 'VPS-10001' }, new Map([[getReinstallOptions, data]]));

test('lists the systems, and the body that the service expects', async () => {
  const outcome = await list({
    vps_name: 'VPS-10001',
    systems: [{ family: 'debian', versions: ['12', '13'] }],
    body: { os: 'string', delivery: 'api|email', hostname: 'string, required' },
  });
  expect(outcome.title).toBe('2 systems for VPS-10001');
  expect(outcome.table?.rows).toEqual([
    ['debian 12', { kind: 'code', code: 'debian-12' }],
    ['debian 13', { kind: 'code', code: 'debian-13' }],
  ]);
  expect(outcome.facts).toEqual([
    { label: 'Systems 1 family', value: 'debian' },
    { label: 'Body OS', value: 'string' },
    { label: 'Body delivery', value: 'api|email' },
    { label: 'Body hostname', value: 'string, required' },
  ]);
  expect(outcome.notes).toEqual(['The service requires hostname. Give it with --field hostname=VALUE.']);
  expect(outcome.choiceSteps).toMatchObject([{ operation: 'reinstall', argument: 'os' }]);
});

test('says that an unusually long list was read only in part', async () => {
  const { notes } = await list({ os: Array.from({ length: 10_001 }, (_, index) => `debian-${index}`) });
  expect(notes).toEqual([
    "The service's response is unusually long. Only part of it was read, so something may be missing here.",
  ]);
});

test('says that no systems are shown, and shows the payload', async () => {
  const outcome = await list({ note: 'ask support', fields: ['os', 'delivery'] });
  expect(outcome.title).toBe('No systems shown for VPS-10001');
  expect(outcome.facts).toEqual([
    { label: 'Note', value: 'ask support' },
    { label: 'Fields', value: 'os, delivery' },
  ]);
  expect(outcome.choiceSteps).toEqual([]);
});

test('needs the right to view', () => {
  const operation = hostingOperations().find('os list');
  expect(operation && requiredRight(operation)).toBe('view');
});
