import { describe, expect, test } from 'vitest';
import { blocksText, type ModalView } from '../../../stack.ts';
import { useStack } from '../../../use-stack.ts';
import { toSelectedOption, toTextValue } from './form-driver.ts';

/** Block ids of one field, row by row. */
function rowBlocks(view: ModalView, field: string): string[] {
  return view.blocks.flatMap(({ block_id = '' }) => (block_id.endsWith(`.${field}`) ? [block_id] : []));
}

const running = useStack();

describe('a form', () => {
  test('opens if input is missing, filled with the input so far', async () => {
    const { slack } = running;
    await slack.slash('snapshot create vps-10002');
    expect(blocksText(await slack.modal())).toContain(
      '"initial_option":{"text":{"type":"plain_text","text":"web-02 (VPS-10002)"',
    );
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
});

describe('the load balancer form', () => {
  test('adds and removes backends, keeps entered values, and sends the documented body', async () => {
    const { slack, service } = running;
    await slack.slash('lb create App.Example.com');
    const first = await slack.modal();
    expect(rowBlocks(first, 'vps_name')).toHaveLength(1);
    const act = (action_id: string, value: string) =>
      slack.act('click', { user: 'U0ALICE', view: first.id, action_id, value });
    await act('row:add', 'backends');
    await expect.poll(async () => rowBlocks(await slack.modal(), 'vps_name')).toHaveLength(2);
    await act('row:add', 'backends');
    await expect.poll(async () => rowBlocks(await slack.modal(), 'vps_name')).toHaveLength(3);
    const [, unwanted = ''] = rowBlocks(await slack.modal(), 'vps_name');
    await act('row:remove', unwanted.replace('.vps_name', ''));
    await expect.poll(async () => rowBlocks(await slack.modal(), 'vps_name')).toHaveLength(2);

    const view = await slack.modal();
    const [vpsA = '', vpsB = ''] = rowBlocks(view, 'vps_name');
    const [portA = '', portB = ''] = rowBlocks(view, 'target_port');
    const [, weightB = ''] = rowBlocks(view, 'weight');
    const [, backupB = ''] = rowBlocks(view, 'is_backup');
    const on = { text: { type: 'plain_text', text: 'Yes' }, value: 'on' };
    const values = {
      [vpsA]: toSelectedOption('VPS-10001'),
      [portA]: toTextValue('80', 'number_input'),
      [vpsB]: toSelectedOption('VPS-10002'),
      [portB]: toTextValue('8080', 'number_input'),
      [weightB]: toTextValue('3', 'number_input'),
      [backupB]: { value: { type: 'checkboxes', selected_options: [on] } },
      health_check_path: toTextValue('healthz'),
      redirect_https: { value: { type: 'checkboxes', selected_options: [on] } },
    };
    expect(await slack.submit(view, values)).toMatchObject({
      errors: { health_check_path: expect.stringContaining('/') },
    });
    await slack.submit(view, { ...values, health_check_path: toTextValue('/healthz') });
    await slack.message('Create load balancer app.example.com: ✅ Done');
    const [call] = await service.changes();
    expect(call).toMatchObject({ method: 'POST', path: '/v1/services/webgate/load-balancers', status: 200 });
    expect(call?.body).toEqual({
      domain_name: 'app.example.com',
      mode: 'roundrobin',
      sticky_mode: 'cookie',
      health_check_path: '/healthz',
      redirect_https: true,
      websocket_enabled: false,
      backends: [
        { vps_name: 'VPS-10001', target_port: 80 },
        { vps_name: 'VPS-10002', target_port: 8080, weight: 3, is_backup: true },
      ],
    });
  });

  test("shows a backend's error at its own field", async () => {
    const { slack } = running;
    await slack.slash('lb create app.example.com');
    const view = await slack.modal();
    const [vps = ''] = rowBlocks(view, 'vps_name');
    const [port = ''] = rowBlocks(view, 'target_port');
    expect(
      await slack.submit(view, {
        [vps]: toSelectedOption('VPS-10001'),
        [port]: toTextValue('70000', 'number_input'),
      }),
    ).toMatchObject({
      errors: { [port]: expect.any(String) },
    });
  });
});
