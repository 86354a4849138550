import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { blocksText, type RunningStack, startStack } from '../../stack.ts';
import { bob, readTable, runCommand } from '../command-driver.ts';
import { createKeyModalDriver } from '../modals/api-key/api-key-driver.ts';
import { fillIn, listRejections, suggest } from '../modals/form/form-driver.ts';
import { visibleText } from '../operations/visible-text.ts';

describe('the service profile', () => {
  let stack: RunningStack;

  beforeAll(async () => {
    stack = await startStack();
    await learn();
  });

  /** Shows the service profile, and reads the service's payloads again. */
  async function learn() {
    await stack.slack.click(await runCommand(stack, 'service', /values were found/), 'Learn Again');
    await stack.slack.message(/values were found/);
  }

  afterAll(() => stack.close());

  test('shows an admin where each value comes from, with an example', async () => {
    const message = await runCommand(stack, 'service', /values were found/);
    const rows = readTable(message);
    expect(rows.find(([, , , , id]) => id === 'vps.list_state')?.slice(0, 4)).toEqual([
      'State in the list of VPS',
      'vps[].state',
      'running',
      'certain',
    ]);
  });

  test('makes at most one call per payload, in the background', async () => {
    const before = (await stack.service.calls()).length;
    await learn();
    const calls = (await stack.service.calls()).slice(before);
    expect(calls.length).toBeLessThanOrEqual(12);
    expect(calls.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('lets an admin choose another field for a value, which every list then uses', async () => {
    await runCommand(stack, 'service set vps.list_state vps[].hostname', /now comes from/);
    const list = readTable(await runCommand(stack, 'list', /VPS/));
    expect(list[0]?.join(' ')).toContain('web-01.acme.example');
    await runCommand(stack, 'service reset vps.list_state', /One field mapping was removed/);
  });

  test("offers the payload's own fields in a form, once the value is chosen", async () => {
    const { slack } = stack;
    await slack.slash('service set');
    const form = await slack.modal();
    expect(blocksText(form)).toContain('Choose the value first.');
    const view = await fillIn(stack, 'value', 'live.cpu', 'remote');
    expect(await suggest(stack, 'field', 'max')).toEqual(expect.arrayContaining(['maxcpu', 'maxmem']));
    expect(await listRejections(slack.url)).toEqual([]);
    await slack.act('close', { user: 'U0ALICE', view: view.id });
  });

  test('rejects a field that does not exist, and lists the existing ones', async () => {
    const refusal = await runCommand(stack, 'service set live.cpu nothing_like_it', /no field/);
    expect(blocksText(refusal)).toContain('cpu');
  });

  test('rejects a field with another kind of value, and changes nothing', async () => {
    await runCommand(stack, 'service set live.cpu status', /can't be read/);
    const rows = readTable(await runCommand(stack, 'service', /values were found/));
    expect(rows.find(([, , , , id]) => id === 'live.cpu')?.[1]).toBe('cpu');
  });

  test.each([
    ['service reset live.memry', /no value named .+live.memry.+Did you mean live.memory\?/],
    ['service reset live.memory', /Live memory has no field mapping/],
  ])('%s is answered with what is wrong', async (command, answer) => {
    const message = await runCommand(stack, command, answer);
    expect(blocksText(message)).toMatch(answer);
  });

  test('is for admins only', async () => {
    const refusal = await runCommand(stack, 'service', /./, bob);
    expect(refusal.text).not.toMatch(/values were found/);
  });
});

test('connecting a key reads one payload of each kind and stores where the values are', async () => {
  const { slack, service, close } = await startStack();
  onTestFinished(close);
  const gwen = createKeyModalDriver(slack, { user: 'U0GWEN', channel: 'C0GLOBEX', team: 'T0GLOBEX' });
  const before = (await service.calls()).length;
  await gwen.type('connect');
  await gwen.send('sandbox-key-full');
  await gwen.shows('Connected to ');
  await expect.poll(async () => (await service.calls()).length).toBe(before + 13);
  await gwen.closeDialog();
  await gwen.type('service');
  const rows = readTable(await gwen.says('values were found'));
  const found = new Map(rows.map(([, field, , how, id]) => [id, [field, how]]));
  expect(found.get('live.cpu')?.[0]).toBe('cpu');
  expect(found.get('rrd.network_in')?.[0]).toBe('netin');
  expect(found.get('snapshot.time')?.[1]).toBe('certain');
});

test('a profile file replaces what was learned, says so, and leaves a value without its field raw', async () => {
  const stack = await startStack({
    profile: [
      { value: 'vps.list_state', field: 'vps[].hostname' },
      { value: 'live.cpu', field: 'no_such_field' },
    ],
  });
  try {
    const shown = await runCommand(
      stack,
      'service',
      /^Field mappings are set in the file that HOSTING_PROFILE names$/,
    );
    expect(readTable(shown).map(([, field, id]) => [id, field])).toEqual([
      ['vps.list_state', 'vps[].hostname'],
      ['live.cpu', 'no_such_field'],
    ]);
    const list = readTable(await runCommand(stack, 'list', /VPS/));
    expect(list[0]?.join(' ')).toContain('web-01.acme.example');
    const live = visibleText((await runCommand(stack, 'live VPS-10001', /right now/)).blocks);
    expect(live).toContain('Memory');
    // The service's `cpu` is shown as it is, not as a percentage.
    expect(live).toMatch(/CPU: 0\.\d+/);
    for (const command of ['service set live.cpu cpu', 'service reset'])
      await runCommand(stack, command, /HOSTING_PROFILE names a file with the field mappings/);
  } finally {
    await stack.close();
  }
});
