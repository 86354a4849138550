import { afterEach, expect, test } from 'vitest';
import { blocksText, type ModalView } from '../../../stack.ts';
import { type HostileHarness, startHostileHarness } from '../../hostile/hostile-harness.ts';

let running: HostileHarness | undefined;
afterEach(() => running?.close());

/** Adds a field that the service requires for a reinstall. */
function requireLicense(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || !('operating_systems' in data)) return data;
  return { ...data, body: { os: 'string', delivery: 'api|email', license: 'string, required' } };
}

async function start(): Promise<HostileHarness> {
  running = await startHostileHarness({
    distort: { transform: requireLicense, extend: requireLicense, error: (body) => body },
  });
  return running;
}

const fieldNames = ({ blocks }: ModalView) =>
  blocks.flatMap(({ block_id = '' }) =>
    /^fields\..+\.(name|value)$/.test(block_id) ? [block_id.split('.')[2]] : [],
  );

test('a form opened for a VPS has a row for each field that the service requires', async () => {
  const { slack } = await start();
  await slack.slash('reinstall VPS-10001');
  const view = await slack.modal();
  expect(fieldNames(view)).toEqual(['name', 'value']);
  expect(blocksText(view)).toContain('"initial_value":"license"');
});

test('a form gets these rows when the VPS is chosen, once', async () => {
  const { slack } = await start();
  await slack.slash('reinstall');
  const before = await slack.modal();
  expect(fieldNames(before)).toEqual([]);
  for (const value of ['VPS-10001', 'VPS-10002']) {
    const { id: view, hash } = await slack.modal();
    await slack.act('click', { user: 'U0ALICE', view, block_id: 'vps', action_id: 'remote', value });
    await expect.poll(async () => (await slack.modal()).hash).not.toBe(hash);
    expect(fieldNames(await slack.modal())).toEqual(['name', 'value']);
  }
});
