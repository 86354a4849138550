import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { blocksText, type ModalView } from '../../../stack.ts';
import { useStack } from '../../../use-stack.ts';
import {
  blockOf,
  fillIn,
  listFields,
  listRejections,
  suggest,
  toSelectedOption,
  toTextValue,
} from './form-driver.ts';

const running = useStack();
afterEach(async () => expect(await listRejections(running.slack.url)).toEqual([]));

describe('a form', () => {
  test('opens if input is missing, with the VPS that a hostname means, and lists its snapshots', async () => {
    const { slack } = running;
    await slack.slash('snapshot restore db-01');
    const view = await slack.modal();
    expect(blocksText(view)).toContain(
      '"initial_option":{"text":{"type":"plain_text","text":"db-01 (VPS-10005)"',
    );
    expect(await suggest(running, 'snapshot')).toContain('weekly');
    expect(await suggest(running, 'vps', 'legacy-01.acme')).toEqual(['VPS-10012']);
  });

  test('opens at once although the service and the ack are slow', async () => {
    const { slack, service } = running;
    await service.fault('slow:20000', { times: 50 });
    await slack.fault('ack_delay:2000');
    const typed = slack.slash('reinstall');
    // Slack accepts the form for 3 s.
    await slack.modal();
    expect(await service.calls()).toEqual([]);
    expect((await typed).acknowledged).toBe(true);
  });

  test('submitted twice runs once', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot create');
    const view = await slack.modal();
    await slack.fault('duplicate');
    await slack.submit(view, { vps: toSelectedOption('VPS-10003'), name: toTextValue('twice') });
    await slack.message('Take snapshot twice of api-01 (VPS-10003): 🔄 In progress');
    expect(await service.changes()).toHaveLength(1);
  });

  test('opens with the same input after the service has rejected it', async () => {
    const { slack, service } = running;
    await service.fault('status:409', { method: 'POST' });
    await slack.slash('snapshot create VPS-10003 nightly');
    const failed = await slack.message('Take snapshot nightly of api-01 (VPS-10003): ❌ Failed');
    expect(blocksText(failed)).toMatch(/"text":"Edit and Retry".*"text":"Try Again"/s);
    await slack.click(failed, 'Edit and Retry');
    const form = await slack.modal();
    expect(blocksText(form)).toContain('"value":"VPS-10003"');
    expect(blocksText(form)).toContain('"initial_value":"nightly"');
    await slack.submit(form, { name: toTextValue('nightly-2') });
    await slack.message('Take snapshot nightly-2 of api-01 (VPS-10003): 🔄 In progress');
    expect((await service.changes()).map(({ status }) => status)).toEqual([409, 200]);
  });
});

describe('a select', () => {
  test('that cannot be loaded shows the reason in the form until it can', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot create');
    await service.fault('status:500', { times: 3, path: '/v1/vps' });
    expect(await suggest(running, 'vps')).toEqual([]);
    const shown = async () => blocksText(await slack.modal());
    await expect.poll(shown).toContain('The hosting service answered with an error (HTTP 500).');
    expect(await shown()).toContain('Open the list again in a moment, or type the name.');
    expect(await suggest(running, 'vps')).toHaveLength(12);
    await expect.poll(shown).not.toContain('Open the list again');
  });

  test('offers a name that the service does not list apart, and the service decides after a confirmation', async () => {
    const { slack, service } = running;
    await slack.slash('lb delete');
    const { id: view } = await slack.modal();
    const group = z.object({
      label: z.object({ text: z.string() }),
      options: z.array(z.object({ value: z.string() })),
    });
    async function offer(): Promise<unknown> {
      const typed = { user: 'U0ALICE', view, action_id: 'remote', text: 'www.acme' };
      const answer = await slack.act('suggest', typed);
      const { option_groups: groups } = z.object({ option_groups: z.array(group) }).parse(answer);
      return groups.map(({ label, options }) => [label.text, options.map(({ value }) => value)]);
    }
    // The API key isn't allowed to read the list.
    await service.fault('status:403', { path: '/v1/services/webgate' });
    expect(await offer()).toEqual([['Not in the list', ['~?www.acme']]]);
    expect(await offer()).toEqual([
      ['In the list', ['www.acme.example']],
      ['Not in the list', ['~?www.acme']],
    ]);
    await slack.submit(await slack.modal(), { domain: toSelectedOption('~?www.acme') });
    const card = await slack.message(/^Delete load balancer www\.acme\?/);
    expect(await service.changes()).toEqual([]);
    await slack.click(card, 'confirm');
    await slack.message(/Delete load balancer www\.acme: ❌/);
    expect(await service.changes()).toMatchObject([
      { method: 'DELETE', path: '/v1/services/webgate/load-balancers/www.acme', status: 404 },
    ]);
  });
});

const chooseVps = (name: string) => fillIn(running, 'vps', name, 'remote');

describe('a dependent select', () => {
  test("appears when its parent is chosen, and submits only the choice of the parent's last value", async () => {
    const { slack, service } = running;
    await slack.slash('snapshot delete');
    const first = await slack.modal();
    expect(listFields(first)).not.toContain('snapshot');
    expect(blocksText(first)).toContain('Choose the VPS first.');
    const second = await chooseVps('VPS-10001');
    expect(await suggest(running, 'snapshot', 'WEEK')).toContain('weekly');
    const oldBlock = blockOf(second, 'snapshot');
    await slack.act('click', {
      ...{ user: 'U0ALICE', view: second.id, block_id: oldBlock, action_id: 'remote', value: 'weekly' },
    });
    const third = await chooseVps('VPS-10005');
    const newBlock = blockOf(third, 'snapshot');
    expect(newBlock).not.toBe(oldBlock);
    expect(await slack.submit(third, {})).toMatchObject({ errors: { [newBlock]: expect.any(String) } });

    await slack.submit(third, { [newBlock]: toSelectedOption('before-upgrade') });
    await slack.click(await slack.message('Delete snapshot before-upgrade of db-01 (VPS-10005)?'), 'confirm');
    await slack.message('Delete snapshot before-upgrade of db-01 (VPS-10005): ✅ Done');
    expect(await service.changes()).toMatchObject([
      { method: 'DELETE', path: '/v1/vps/VPS-10005/snapshots/before-upgrade', status: 200 },
    ]);
  });

  test('of another VPS is asked for again if the form is submitted before it was updated', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot delete');
    const view = await chooseVps('VPS-10001');
    const values = {
      [blockOf(view, 'snapshot')]: toSelectedOption('weekly'),
      vps: toSelectedOption('VPS-10005'),
    };
    expect(await slack.submit(view, values)).toMatchObject({ response_action: 'update' });
    const updated = await slack.modal();
    expect(updated.id).toBe(view.id);
    expect(await slack.submit(updated, {})).toMatchObject({ response_action: 'errors' });
    await slack.submit(updated, { [blockOf(updated, 'snapshot')]: toSelectedOption('weekly') });
    await slack.message('Delete snapshot weekly of db-01 (VPS-10005)?');
    expect(await service.changes()).toEqual([]);
  });

  test('belongs to the parent that was chosen last, however fast', async () => {
    const { slack } = running;
    await slack.slash('snapshot delete');
    const { id: view } = await slack.modal();
    const place = { user: 'U0ALICE', view, block_id: 'vps', action_id: 'remote' };
    const order = ['VPS-10001', 'VPS-10012', 'VPS-10001', 'VPS-10005'];
    await Promise.all(order.map((value) => slack.act('click', { ...place, value })));
    await expect.poll(() => suggest(running, 'snapshot')).toContain('weekly');
    const form = await slack.modal();
    await slack.submit(form, { [blockOf(form, 'snapshot')]: toSelectedOption('weekly') });
    await slack.message('Delete snapshot weekly of db-01 (VPS-10005)?');
  });
});

/** Block ids of one field, row by row. */
function rowBlocks(view: ModalView, field: string): string[] {
  return view.blocks.flatMap(({ block_id = '' }) => (block_id.endsWith(`.${field}`) ? [block_id] : []));
}

test('the load balancer form adds and removes backends, and shows errors at the fields of a backend', async () => {
  const { slack, service } = running;
  await slack.slash('lb create App.Example.com');
  const { id: view } = await slack.modal();
  const act = (action_id: string, value: string) =>
    slack.act('click', { user: 'U0ALICE', view, action_id, value });
  const countRows = async () => rowBlocks(await slack.modal(), 'vps_name').length;
  // The second click comes before the form shows the row of the first.
  await Promise.all([act('row:add', 'backends'), act('row:add', 'backends')]);
  await expect.poll(countRows).toBe(3);
  const [, unwanted = ''] = rowBlocks(await slack.modal(), 'vps_name');
  await act('row:remove', unwanted.replace('.vps_name', ''));
  await expect.poll(countRows).toBe(2);

  const form = await slack.modal();
  const [vpsA = '', vpsB = ''] = rowBlocks(form, 'vps_name');
  const [portA = '', portB = ''] = rowBlocks(form, 'target_port');
  const values = {
    [vpsA]: toSelectedOption('VPS-10001'),
    [portA]: toTextValue('80', 'number_input'),
    [vpsB]: toSelectedOption('VPS-10002'),
    [portB]: toTextValue('70000', 'number_input'),
    health_check_path: toTextValue('healthz'),
  };
  expect(await slack.submit(form, values)).toMatchObject({ errors: { [portB]: expect.any(String) } });
  const corrected = { ...values, [portB]: toTextValue('8080', 'number_input') };
  expect(await slack.submit(form, corrected)).toMatchObject({
    errors: { health_check_path: expect.stringContaining('/') },
  });
  await slack.submit(form, { ...corrected, health_check_path: toTextValue('/healthz') });
  await slack.message('Create load balancer app.example.com: ✅ Done');
  expect((await service.changes())[0]?.body).toMatchObject({
    domain_name: 'app.example.com',
    health_check_path: '/healthz',
    backends: [
      { vps_name: 'VPS-10001', target_port: 80 },
      { vps_name: 'VPS-10002', target_port: 8080 },
    ],
  });
});
