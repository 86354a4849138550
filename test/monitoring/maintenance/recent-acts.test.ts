import { expect, test } from 'vitest';
import { loadFullCatalogue } from '../../../scripts/load-full-catalogue.ts';
import { interruptingOperations } from '../../../src/monitoring/maintenance/load-silence.ts';
import { requiresConfirmation } from '../../../src/operations/define/inspect-operation.ts';

/** Confirmed changes that leave the VPS running. */
const harmless = [
  'backup disable',
  'backup regenerate',
  'snapshot delete',
  'ssh set',
  'vlan delete',
  'vlan detach',
];

test('every change that interrupts the VPS in its input is known', async () => {
  const { groups } = await loadFullCatalogue();
  const confirmed = groups
    .flatMap(({ operations }) => operations)
    .filter((operation) => operation.kind === 'change' && 'vps' in operation.arguments)
    .filter((operation) => requiresConfirmation(operation));
  const names = confirmed.map(({ name }) => name);
  expect([...interruptingOperations, ...harmless].toSorted()).toEqual(names.toSorted());
});
