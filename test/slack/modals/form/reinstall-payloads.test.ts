import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { blocksText, type ModalView } from '../../../stack.ts';
import { type HostileHarness, startHostileHarness } from '../../hostile/hostile-harness.ts';
import { fillIn } from './form-driver.ts';

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
