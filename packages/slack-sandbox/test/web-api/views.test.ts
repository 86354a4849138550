import { describe, expect, test } from 'vitest';
import { fullManifest, type Sandbox, startSandbox, startSocketApp, tokens } from '../harness.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });

const input = (block_id: string, extra: object = {}) => ({
  type: 'input' as const,
  block_id,
  label: plain(block_id),
  element: { type: 'plain_text_input' as const, action_id: 'value', ...extra },
});

const modal = (title: string, extra: object = {}) => ({
  type: 'modal' as const,
  title: plain(title),
  submit: plain('Send'),
  callback_id: title.toLowerCase(),
  blocks: [input('name'), { type: 'actions' as const, block_id: 'do', elements: [button('deeper')] }],
  ...extra,
});

const button = (action_id: string) => ({ type: 'button' as const, action_id, text: plain(action_id) });

/** Starts a sandbox whose app acknowledges everything. */
async function startQuiet(): Promise<Sandbox> {
  const sandbox = await startSandbox();
  await startSocketApp(sandbox, (app) => {
    app.command('/vps', async ({ ack }) => ack());
    app.action(/.*/, async ({ ack }) => ack());
  });
  return sandbox;
}

async function trigger(sandbox: Sandbox): Promise<string> {
  const typed = { user: 'U0ALICE', channel: 'C0OPS', command: '/vps' };
  return String((await sandbox.post('slash', typed)).trigger_id);
}

async function open(sandbox: Sandbox, view: object = modal('First')): Promise<string> {
  const opened = await sandbox.client().apiCall('views.open', { trigger_id: await trigger(sandbox), view });
  expect(opened.ok).toBe(true);
  return (await sandbox.modal('U0ALICE')).id;
}

describe('a trigger', () => {
  test('opens one view, within three seconds', async () => {
    const sandbox = await startQuiet();
    const { views } = sandbox.client();
    const trigger_id = await trigger(sandbox);
    await sandbox.advance(2999);
    const { view } = await views.open({ trigger_id, view: modal('First') });
    expect(view).toMatchObject({
      team_id: 'T0ACME',
      app_id: 'A0SANDBOX',
      bot_id: 'B0ACME',
      state: { values: {} },
    });
    expect(view?.root_view_id).toBe(view?.id);
    await expect(views.open({ trigger_id, view: modal('Again') })).rejects.toThrow('exchanged_trigger_id');
    const late = await trigger(sandbox);
    await sandbox.advance(3000);
    await expect(views.open({ trigger_id: late, view: modal('Late') })).rejects.toThrow('expired_trigger_id');
  });

  test('works only in its workspace, and cannot be invented', async () => {
    const sandbox = await startQuiet();
    const trigger_id = await trigger(sandbox);
    const elsewhere = sandbox.client(tokens.globex).views.open({ trigger_id, view: modal('First') });
    await expect(elsewhere).rejects.toThrow('invalid_trigger_id');
    const madeUp = sandbox.client().views.open({ trigger_id: '1.2.abc', view: modal('First') });
    await expect(madeUp).rejects.toThrow('invalid_trigger_id');
  });

  test('stays valid after a view that was rejected', async () => {
    const sandbox = await startQuiet();
    const trigger_id = await trigger(sandbox);
    const refused = sandbox.client().views.open({ trigger_id, view: modal('x'.repeat(25)) });
    await expect(refused).rejects.toMatchObject({
      data: {
        error: 'invalid_arguments',
        response_metadata: { messages: [expect.stringContaining('[json-pointer:/view/title/text]')] },
      },
    });
    await expect(sandbox.client().views.open({ trigger_id, view: modal('First') })).resolves.toMatchObject({
      ok: true,
    });
  });

  test('can be expired by an injected fault', async () => {
    const sandbox = await startQuiet();
    await sandbox.post('faults', { fault: 'expire_trigger' });
    const trigger_id = await trigger(sandbox);
    await expect(sandbox.client().views.open({ trigger_id, view: modal('First') })).rejects.toThrow(
      'expired_trigger_id',
    );
  });
});

describe('views.push', () => {
  async function push(sandbox: Sandbox, title: string) {
    const view = (await sandbox.modal('U0ALICE')).id;
    const { trigger_id } = await sandbox.post('click', { user: 'U0ALICE', view, action_id: 'deeper' });
    return sandbox.client().views.push({ trigger_id: String(trigger_id), view: modal(title) });
  }

  test('stacks three views, each with the IDs of the previous and the root view', async () => {
    const sandbox = await startQuiet();
    const root = await open(sandbox);
    const { view: second } = await push(sandbox, 'Second');
    const { view: third } = await push(sandbox, 'Third');
    expect(second).toMatchObject({ root_view_id: root, previous_view_id: root });
    expect(third).toMatchObject({ root_view_id: root, previous_view_id: second?.id });
    await expect(push(sandbox, 'Fourth')).rejects.toThrow('push_limit_reached');
  });

  test('needs a trigger from the modal', async () => {
    const sandbox = await startQuiet();
    await open(sandbox);
    const pushed = sandbox.client().views.push({ trigger_id: await trigger(sandbox), view: modal('Second') });
    await expect(pushed).rejects.toThrow('not_found');
  });
});

describe('views.update', () => {
  const values = async (sandbox: Sandbox) => (await sandbox.modal('U0ALICE')).state;
  const fill = (sandbox: Sandbox, view: string, value: string) =>
    sandbox.post('click', { user: 'U0ALICE', view, action_id: 'value', value });

  test('keeps entered values while block and action stay the same, and uses initial values elsewhere', async () => {
    const sandbox = await startQuiet();
    const view_id = await open(sandbox);
    await fill(sandbox, view_id, 'typed');
    const { views } = sandbox.client();
    await views.update({
      view_id,
      view: modal('First', { blocks: [input('name', { initial_value: 'initial' })] }),
    });
    expect(await values(sandbox)).toMatchObject({ values: { name: { value: { value: 'typed' } } } });
    await views.update({
      view_id,
      view: modal('First', { blocks: [input('name_2', { initial_value: 'initial' })] }),
    });
    expect(await values(sandbox)).toEqual({
      values: { name_2: { value: { type: 'plain_text_input', value: 'initial' } } },
    });
  });

  test('checks the hash, which changes with every update', async () => {
    const sandbox = await startQuiet();
    const view_id = await open(sandbox);
    const { hash } = await sandbox.modal('U0ALICE');
    const { views } = sandbox.client();
    const { view } = await views.update({ view_id, hash, view: modal('Second') });
    expect(view?.hash).not.toBe(hash);
    await expect(views.update({ view_id, hash, view: modal('Third') })).rejects.toThrow('hash_conflict');
  });

  test('finds a view by its external ID, which must be unique', async () => {
    const sandbox = await startQuiet();
    await open(sandbox, modal('First', { external_id: 'run-1', private_metadata: '{"run":1}' }));
    const { views } = sandbox.client();
    const { view } = await views.update({
      external_id: 'run-1',
      view: modal('Again', { external_id: 'run-1' }),
    });
    expect(view).toMatchObject({ external_id: 'run-1', private_metadata: '' });
    const opened = views.open({
      trigger_id: await trigger(sandbox),
      view: modal('Other', { external_id: 'run-1' }),
    });
    await expect(opened).rejects.toThrow('duplicate_external_id');
  });

  test('does not find a closed view', async () => {
    const sandbox = await startQuiet();
    const view_id = await open(sandbox);
    await sandbox.post('close', { user: 'U0ALICE', view: view_id });
    await expect(sandbox.client().views.update({ view_id, view: modal('Late') })).rejects.toThrow(
      'not_found',
    );
  });
});

describe('a field of a form', () => {
  test('is sent to the app as it is filled in only with dispatch_action, with all values so far', async () => {
    const sandbox = await startSandbox();
    const heard: unknown[] = [];
    await startSocketApp(sandbox, (app) => {
      app.command('/vps', async ({ ack }) => ack());
      app.action('value', async ({ ack, body }) => {
        heard.push(body);
        await ack();
      });
    });
    const view = await open(
      sandbox,
      modal('First', { blocks: [input('name'), { ...input('vps'), dispatch_action: true }] }),
    );
    const fill = (block_id: string, value: string) =>
      sandbox.post('click', { user: 'U0ALICE', view, block_id, action_id: 'value', value });
    expect(await fill('name', 'web')).toEqual({ acknowledged: false, ack_ms: 0 });
    expect(await fill('vps', 'VPS-1')).toMatchObject({ acknowledged: true, trigger_id: expect.any(String) });
    expect(heard).toMatchObject([
      {
        type: 'block_actions',
        container: { type: 'view', view_id: view },
        actions: [{ type: 'plain_text_input', block_id: 'vps', action_id: 'value', value: 'VPS-1' }],
        view: {
          id: view,
          hash: (await sandbox.modal('U0ALICE')).hash,
          state: { values: { name: { value: { value: 'web' } }, vps: { value: { value: 'VPS-1' } } } },
        },
      },
    ]);
  });
});

describe('the Home tab', () => {
  const home = (text: string, extra: object = {}) => ({
    type: 'home' as const,
    blocks: [
      { type: 'section' as const, text: plain(text) },
      { type: 'actions' as const, elements: [button('refresh')] },
    ],
    ...extra,
  });

  test('is published for one person, and its hash is checked', async () => {
    const sandbox = await startQuiet();
    const { views } = sandbox.client();
    const { view } = await views.publish({ user_id: 'U0BOB', view: home('One') });
    const hash = view?.hash ?? '';
    await expect(views.publish({ user_id: 'U0BOB', hash, view: home('Two') })).resolves.toMatchObject({
      ok: true,
    });
    await expect(views.publish({ user_id: 'U0BOB', hash, view: home('Three') })).rejects.toThrow(
      'hash_conflict',
    );
    expect(await sandbox.get('views', { user: 'U0BOB' })).toMatchObject({
      modals: [],
      home: { id: view?.id, blocks: [{ text: plain('Two') }, {}] },
    });
    expect(await sandbox.get('views', { user: 'U0ALICE' })).toEqual({ modals: [], home: null });
  });

  test('needs a home view, for a person of the workspace', async () => {
    const sandbox = await startQuiet();
    const { views } = sandbox.client();
    await expect(views.publish({ user_id: 'U0BOB', view: modal('First') })).rejects.toThrow(
      'invalid_arguments',
    );
    await expect(views.publish({ user_id: 'U0GWEN', view: home('One') })).rejects.toThrow(
      'invalid_arguments',
    );
  });

  test('notifies the app when it is opened, with the current view, and when something is pressed', async () => {
    const sandbox = await startSandbox();
    const heard: unknown[] = [];
    await startSocketApp(sandbox, (app) => {
      app.event('app_home_opened', async ({ event, client }) => {
        heard.push(event);
        await client.views.publish({ user_id: event.user, view: home('Hello') });
      });
      app.action('refresh', async ({ ack, body }) => {
        heard.push(body);
        await ack();
      });
    });
    expect(await sandbox.post('home', { user: 'U0BOB' })).toMatchObject({ acknowledged: true });
    await expect.poll(async () => (await sandbox.get('views', { user: 'U0BOB' })).home).not.toBeNull();
    await sandbox.post('home', { user: 'U0BOB' });
    await expect.poll(() => heard).toHaveLength(2);
    expect(heard[0]).toMatchObject({ type: 'app_home_opened', user: 'U0BOB', channel: 'D0BOB', tab: 'home' });
    expect(heard[0]).not.toHaveProperty('view');
    expect(heard[1]).toMatchObject({ view: { type: 'home', team_id: 'T0ACME' } });
    const { home: shown } = await sandbox.get('views', { user: 'U0BOB' });
    const view = Object(shown).id;
    await sandbox.post('click', { user: 'U0BOB', view, action_id: 'refresh' });
    expect(heard[2]).toMatchObject({ type: 'block_actions', container: { type: 'view', view_id: view } });
    expect(heard[2]).not.toHaveProperty('response_url');
    expect((await sandbox.status('close', { user: 'U0BOB', view })).status).toBe(400);
  });

  test('is off unless the manifest turns it on', async () => {
    const { app_home: _home, ...features } = fullManifest.features;
    const sandbox = await startSandbox({ manifest: { ...fullManifest, features } });
    const published = sandbox.client().views.publish({ user_id: 'U0BOB', view: home('One') });
    await expect(published).rejects.toThrow('not_enabled');
    expect((await sandbox.status('home', { user: 'U0BOB' })).answer.error).toContain(
      'home_tab_enabled: true',
    );
  });
});
