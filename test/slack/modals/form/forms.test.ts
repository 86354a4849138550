import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blocksText, type ModalView, type RunningStack, startStack } from '../../../stack.ts';
import { toSelectedOption, toTextValue } from './form-driver.ts';

/** Block ids of one field, row by row. */
function rowBlocks(view: ModalView, field: string): string[] {
  return view.blocks.flatMap(({ block_id = '' }) => (block_id.endsWith(`.${field}`) ? [block_id] : []));
}

let running: RunningStack;
beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

describe('a form', () => {
  test('opens if input is missing, filled with the input so far', async () => {
    const { slack } = running;
    await slack.slash('snapshot create vps-10002');
    expect(blocksText(await slack.modal())).toContain(
      '"initial_option":{"text":{"type":"plain_text","text":"web-02 (VPS-10002)"',
    );
  });

  test('loads its VPS options while typing', async () => {
    const { slack, service } = running;
    await slack.slash('reboot');
    const view = await slack.modal();
    const suggest = (text: string) =>
      slack.act('suggest', { user: 'U0ALICE', view: view.id, action_id: 'remote', text });
    expect((await suggest('')).options).toHaveLength(12);
    expect((await suggest('db-0')).options?.map(({ value }) => value)).toEqual(['VPS-10005', 'VPS-10006']);
    expect((await suggest('nothing like it')).options).toEqual([]);
    expect(await service.calls()).toHaveLength(1);
  });

  test('offers a typed word where the values are open', async () => {
    const { slack } = running;
    await slack.slash('lb create');
    const { id: view } = await slack.modal();
    const suggest = async (text: string) => {
      const place = { user: 'U0ALICE', view, block_id: 'mode', action_id: 'remote' };
      return (await slack.act('suggest', { ...place, text })).options?.map(({ value }) => value);
    };
    expect(await suggest('')).toEqual(['roundrobin', 'leastconn']);
    expect(await suggest('least')).toEqual(['least', 'leastconn']);
    expect(await suggest('weighted')).toEqual(['weighted']);
    expect(await suggest('leastconn')).toEqual(['leastconn']);
    expect(await suggest('two words')).toEqual([]);
  });

  test('has an empty select in time if the service is slow, and a full one later', async () => {
    const { slack, service } = running;
    await slack.slash('reboot');
    const view = await slack.modal();
    await service.fault('slow:3500');
    const suggest = () =>
      slack.act('suggest', { user: 'U0ALICE', view: view.id, action_id: 'remote', text: '' });
    expect((await suggest()).options).toEqual([]);
    await expect.poll(async () => (await suggest()).options?.length).toBe(12);
    expect(await service.calls()).toHaveLength(1);
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

  test("opens from a button if the command's trigger was used up", async () => {
    const { slack } = running;
    await slack.fault('expire_trigger');
    await slack.slash('snapshot create VPS-10001');
    const offer = await slack.message("open the form to fill in what's missing");
    await slack.click(offer, 'Open Form');
    expect(blocksText(await slack.modal())).toContain('VPS-10001');
  });

  test('opens from a button after a mention, which has no trigger', async () => {
    const { slack } = running;
    await slack.mention('ssh set VPS-10001');
    const offer = await slack.message("open the form to fill in what's missing");
    await slack.click(offer, 'Open Form');
    expect(blocksText(await slack.modal())).toContain('SSH port');
  });
});

describe('the snapshot form', () => {
  test('takes a snapshot with the documented call', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot create');
    await slack.submit(await slack.modal(), {
      vps: toSelectedOption('VPS-10003'),
      name: toTextValue('before-upgrade'),
    });
    await slack.message('Take snapshot before-upgrade of api-01 (VPS-10003): 🔄 In progress');
    expect(await slack.openModals()).toEqual([]);
    expect(await service.changes()).toMatchObject([
      { method: 'POST', path: '/v1/vps/VPS-10003/snapshots', body: { name: 'before-upgrade' }, status: 200 },
    ]);
  });
});

describe('the SSH port form', () => {
  test('rejects a wrong port at its field, and accepts a correction', async () => {
    const { slack, service } = running;
    await slack.slash('ssh set');
    const view = await slack.modal();
    for (const port of ['0', '65536', 'ssh', '-1', '22.5', '']) {
      const refused = await slack.submit(view, {
        vps: toSelectedOption('VPS-10004'),
        port: toTextValue(port, 'number_input'),
      });
      expect(refused, port).toMatchObject({
        response_action: 'errors',
        errors: { port: expect.any(String) },
      });
    }
    expect(await service.changes()).toEqual([]);

    await slack.submit(view, {
      vps: toSelectedOption('VPS-10004'),
      port: toTextValue('2222', 'number_input'),
    });
    const card = await slack.message('Set the SSH port of worker-01 (VPS-10004) to 2222?');
    expect(blocksText(card)).toContain('SSH port now');
    await slack.click(card, 'confirm');
    await slack.message('Set the SSH port of worker-01 (VPS-10004) to 2222: ✅ Done');
    expect(await service.changes()).toMatchObject([
      {
        method: 'PATCH',
        path: '/v1/services/proxy-ssh-ipv4/vps/VPS-10004',
        body: { port_vps_ssh: 2222 },
        status: 200,
      },
    ]);
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

  test('holds up to the maximum of backends and then offers no more', async () => {
    const { slack } = running;
    const backends = Array.from({ length: 15 }, (_, index) => `--backend VPS-${10001 + (index % 12)}:99999`);
    await slack.slash(`lb create app.example.com ${backends.join(' ')}`);
    await slack.click(await slack.message('Port must be a whole number'), 'Open Form');
    const view = await slack.modal();
    expect(rowBlocks(view, 'vps_name')).toHaveLength(15);
    expect(blocksText(view)).toContain('You typed 99999');
    expect(blocksText(view)).not.toContain('row:add');
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

describe('a complete command', () => {
  test('creates a load balancer with all its options', async () => {
    const { slack, service } = running;
    await slack.slash(
      'lb create app.example.com --backend vps-10001:80 --backend VPS-10002:8080:weight=2:backup --mode leastconn --sticky source --health /up --websocket --dedicated-port 0',
    );
    await slack.message('Create load balancer app.example.com: ✅ Done');
    const [call] = await service.changes();
    expect(call?.body).toMatchObject({
      mode: 'leastconn',
      sticky_mode: 'source',
      health_check_path: '/up',
      redirect_https: false,
      websocket_enabled: true,
      backends: [
        { vps_name: 'VPS-10001', target_port: 80 },
        { vps_name: 'VPS-10002', target_port: 8080, weight: 2, is_backup: true },
      ],
    });
  });

  test('takes one snapshot even if Slack delivers the command twice', async () => {
    const { slack, service } = running;
    await slack.fault('duplicate');
    await slack.slash('snapshot create VPS-10001 nightly');
    await slack.message('Take snapshot nightly of web-01 (VPS-10001): 🔄 In progress');
    expect(await service.changes()).toHaveLength(1);
  });
});
