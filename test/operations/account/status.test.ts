import { expect, test } from 'vitest';
import { getStatus } from '../../../src/hosting/endpoints/system.ts';
import { runRead } from '../operation-harness.ts';

async function showStatus(shown: Readonly<Record<string, unknown>>) {
  const { title, facts = [] } = await runRead(
    'status',
    {},
    new Map([[getStatus, { ...shown, permissions: ['vps.read'] }]]),
  );
  return { title, ...Object.fromEntries(facts.map(({ label, value }) => [label, value])) };
}

test('shows the service, its version and its time', async () => {
  const shown = { service: 'Panel', version: '1.0', timestamp: '2026-11-21T06:00:00+0000' };
  expect(await showStatus(shown)).toMatchObject({
    title: 'Panel answers',
    'API version': '1.0',
    'Time of the service': { kind: 'time', timeMs: Date.UTC(2026, 10, 21, 6) },
  });
});

test('shows a time in an unknown format as the service writes it', async () => {
  expect(await showStatus({ timestamp: 'Sat 21 Nov' })).toMatchObject({
    title: 'The hosting service answers',
    'API version': 'not shown',
    'Time of the service': 'Sat 21 Nov',
  });
});
