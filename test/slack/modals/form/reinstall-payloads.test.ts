import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { blocksText, type ModalView } from '../../../stack.ts';
import { readTable, runCommand } from '../../command-driver.ts';
import { type HostileHarness, startHostileHarness } from '../../hostile/hostile-harness.ts';
import { fillInForm } from '../../operations/fill-in-form.ts';
import { fillIn, suggest, toTextValue } from './form-driver.ts';

let running: HostileHarness | undefined;
afterEach(() => running?.close());

const options = z.looseObject({ operating_systems: z.array(z.unknown()) });

/** Starts the app with a service that sends other data about reinstalling a VPS. */
async function start(change: (data: object) => object): Promise<HostileHarness> {
  const transform = (data: unknown): unknown => {
    const found = options.safeParse(data);
    return found.success ? change(found.data) : data;
  };
  running = await startHostileHarness({ distort: { transform, extend: transform, error: (body) => body } });
  return running;
}

describe('a field that the service requires for a reinstall', () => {
  const requireLicense = (data: object) => ({
    ...data,
    body: { required: ['os', 'license'] },
  });

  const fieldNames = ({ blocks }: ModalView) =>
    blocks.flatMap(({ block_id = '' }) =>
      /^fields\..+\.(name|value)$/.test(block_id) ? [block_id.split('.')[2]] : [],
    );

  test('has one row when the VPS is known, and still one when another VPS is chosen', async () => {
    const stage = await start(requireLicense);
    await stage.slack.slash('reinstall VPS-10001');
    const view = await stage.slack.modal();
    expect(fieldNames(view)).toEqual(['name', 'value']);
    expect(blocksText(view)).toContain('"initial_value":"license"');
    expect(fieldNames(await fillIn(stage, 'vps', 'VPS-10002', 'remote'))).toEqual(['name', 'value']);
  });
});

test('systems that the service shows in another way are listed, offered and installed by form and command', async () => {
  const stage = await start(() => ({
    os: { 'debian-12': 'Debian 12', 'debian-13': 'Debian 13' },
    delivery: { api: 'at once', email: 'by mail' },
  }));
  const systems = ['debian-12', 'debian-13'];
  const { slack, service } = stage;

  const list = await runCommand(stage, 'os list VPS-10001', new RegExp(`^${systems.length} systems for`));
  expect(readTable(list).map(([, os]) => os)).toEqual(systems);

  await slack.slash('reinstall VPS-10001');
  expect(await suggest(stage, 'os')).toEqual(systems);
  expect(await suggest(stage, 'delivery')).toEqual(['api', 'email']);
  await fillInForm(stage, { os: 'debian-12', delivery: 'api' });
  await expectReinstalled(stage, 'VPS-10001', 'debian-12');

  await slack.slash('reinstall VPS-10002 --os debian-13');
  await expectReinstalled(stage, 'VPS-10002', 'debian-13');
  expect((await service.changes()).map(({ path, body, status }) => [path, body, status])).toEqual([
    ['/v1/vps/VPS-10001/reinstall', { os: 'debian-12', delivery: 'api' }, 200],
    ['/v1/vps/VPS-10002/reinstall', { os: 'debian-13', delivery: 'api' }, 200],
  ]);
});

/** Confirms a reinstall by typing the VPS name, and waits until it was sent. */
async function expectReinstalled({ slack }: HostileHarness, vps: string, os: string): Promise<void> {
  const title = `^Reinstall .*\\(${vps}\\) with ${os}`;
  await slack.click(await slack.message(new RegExp(`${title}\\?`)), 'confirm:typed');
  await slack.submit(await slack.modal(), { typed: toTextValue(vps) });
  await slack.message(new RegExp(`${title}: (🔄|✅)`));
}
