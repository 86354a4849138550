import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ModalView, type RunningStack, startStack, textOf } from '../stack.ts';

/** A VPS as chosen in a select. */
function chosen(vps: string) {
  const selected_option = { text: { type: 'plain_text', text: vps }, value: vps };
  return { remote: { type: 'external_select', selected_option } };
}

function typed(value: string, type = 'plain_text_input') {
  return { value: { type, value } };
}

/** Ids of the blocks of a row's fields, row by row. */
function rowBlocks(view: ModalView, field: string): string[] {
  return view.blocks.flatMap(({ block_id = '' }) => (block_id.endsWith(`.${field}`) ? [block_id] : []));
}

let running: RunningStack;
beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

describe('a form', () => {
  test('opens where something is missing, filled with what was given', async () => {
    const { slack } = running;
    await slack.slash('snapshot create vps-10002');
    expect(textOf(await slack.modal())).toContain(
      '"initial_option":{"text":{"type":"plain_text","text":"VPS-10002"',
    );
  });

  test('fills its select of VPS live, by what is typed', async () => {
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

  test('has an empty select in time where the service is slow, and a full one later', async () => {
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

  test('that is sent twice runs once', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot create');
    const view = await slack.modal();
    await slack.fault('duplicate');
    await slack.submit(view, { vps: chosen('VPS-10003'), name: typed('twice') });
    await slack.message('Take snapshot twice of VPS-10003: ✅ Done');
    expect(await service.changes()).toHaveLength(1);
  });

  test('opens from a button where the trigger of the command was spent', async () => {
    const { slack } = running;
    await slack.fault('expire_trigger');
    await slack.slash('snapshot create VPS-10001');
    const offer = await slack.message('the form asks for what is missing');
    await slack.click(offer, 'step:0');
    expect(textOf(await slack.modal())).toContain('VPS-10001');
  });

  test('opens from a button after a mention, which has no trigger', async () => {
    const { slack } = running;
    await slack.mention('ssh set VPS-10001');
    const offer = await slack.message('the form asks for what is missing');
    await slack.click(offer, 'step:0');
    expect(textOf(await slack.modal())).toContain('SSH port');
  });
});

describe('the snapshot form', () => {
  test('takes a snapshot by the documented call', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot create');
    await slack.submit(await slack.modal(), { vps: chosen('VPS-10003'), name: typed('before-upgrade') });
    await slack.message('Take snapshot before-upgrade of VPS-10003: ✅ Done');
    expect(await slack.openModals()).toEqual([]);
    expect(await service.changes()).toMatchObject([
      { method: 'POST', path: '/v1/vps/VPS-10003/snapshots', body: { name: 'before-upgrade' }, status: 200 },
    ]);
  });
});

describe('the SSH port form', () => {
  test.each(['0', '65536', 'ssh', '-1', '22.5', ''])(
    'refuses the port "%s" beside its field, and can be corrected',
    async (port) => {
      const { slack, service } = running;
      await slack.slash('ssh set');
      const view = await slack.modal();
      const refused = await slack.submit(view, {
        vps: chosen('VPS-10004'),
        port: typed(port, 'number_input'),
      });
      expect(refused).toMatchObject({ response_action: 'errors', errors: { port: expect.any(String) } });
      expect(await service.changes()).toEqual([]);

      await slack.submit(view, { vps: chosen('VPS-10004'), port: typed('2222', 'number_input') });
      const card = await slack.message('Set the SSH port of VPS-10004 to 2222?');
      expect(textOf(card)).toContain('SSH port now');
      await slack.click(card, 'confirm');
      await slack.message('Set the SSH port of VPS-10004 to 2222: ✅ Done');
      expect(await service.changes()).toMatchObject([
        {
          method: 'PATCH',
          path: '/v1/services/proxy-ssh-ipv4/vps/VPS-10004',
          body: { port_vps_ssh: 2222 },
          status: 200,
        },
      ]);
    },
  );
});

describe('the load balancer form', () => {
  test('adds and removes backends, keeps what was filled in, and sends the documented body', async () => {
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
      [vpsA]: chosen('VPS-10001'),
      [portA]: typed('80', 'number_input'),
      [vpsB]: chosen('VPS-10002'),
      [portB]: typed('8080', 'number_input'),
      [weightB]: typed('3', 'number_input'),
      [backupB]: { value: { type: 'checkboxes', selected_options: [on] } },
      health_check_path: typed('healthz'),
      redirect_https: { value: { type: 'checkboxes', selected_options: [on] } },
    };
    expect(await slack.submit(view, values)).toMatchObject({
      errors: { health_check_path: expect.stringContaining('/') },
    });
    await slack.submit(view, { ...values, health_check_path: typed('/healthz') });
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
      dedicated_port_id: 0,
      backends: [
        { vps_name: 'VPS-10001', target_port: 80, weight: 1, is_backup: false },
        { vps_name: 'VPS-10002', target_port: 8080, weight: 3, is_backup: true },
      ],
    });
  });

  test('holds as many backends as it takes, and offers no more', async () => {
    const { slack } = running;
    const backends = Array.from({ length: 15 }, (_, index) => `--backend VPS-${10001 + (index % 12)}:99999`);
    await slack.slash(`lb create app.example.com ${backends.join(' ')}`);
    await slack.click(await slack.message('Port must be a whole number'), 'step:0');
    const view = await slack.modal();
    expect(rowBlocks(view, 'vps_name')).toHaveLength(15);
    expect(textOf(view)).toContain('You typed 99999');
    expect(textOf(view)).not.toContain('row:add');
  });

  test('puts the problem of a backend beside its own field', async () => {
    const { slack } = running;
    await slack.slash('lb create app.example.com');
    const view = await slack.modal();
    const [vps = ''] = rowBlocks(view, 'vps_name');
    const [port = ''] = rowBlocks(view, 'target_port');
    expect(
      await slack.submit(view, { [vps]: chosen('VPS-10001'), [port]: typed('70000', 'number_input') }),
    ).toMatchObject({
      errors: { [port]: expect.any(String) },
    });
  });
});

describe('typed whole', () => {
  test('a load balancer is created with all its options', async () => {
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
        { vps_name: 'VPS-10001', target_port: 80, weight: 1, is_backup: false },
        { vps_name: 'VPS-10002', target_port: 8080, weight: 2, is_backup: true },
      ],
    });
  });

  test('a snapshot is taken, and Slack delivering the command twice takes no second', async () => {
    const { slack, service } = running;
    await slack.fault('duplicate');
    await slack.slash('snapshot create VPS-10001 nightly');
    await slack.message('Take snapshot nightly of VPS-10001: ✅ Done');
    expect(await service.changes()).toHaveLength(1);
  });
});
