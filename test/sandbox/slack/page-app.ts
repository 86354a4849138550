import { App, LogLevel } from '@slack/bolt';
import { card, explanation, fleet, form, kinds, marked, plain } from './page-app-views.ts';

/** The manifest of the app that the page's tests drive. */
export const pageManifest = {
  display_information: { name: 'Pagetest' },
  features: {
    bot_user: { display_name: 'Pagetest', always_online: true },
    app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
    slash_commands: [
      {
        command: '/page',
        description: 'Try the page',
        usage_hint: '[card | form | secret]',
        should_escape: true,
      },
    ],
    shortcuts: [
      { name: 'New form', type: 'global', callback_id: 'new_form', description: 'Opens the form' },
      { name: 'Keep this', type: 'message', callback_id: 'keep', description: 'Keeps a message' },
    ],
  },
  oauth_config: {
    scopes: {
      bot: [
        'app_mentions:read',
        'chat:write',
        'commands',
        'files:read',
        'files:write',
        'im:write',
        'users:read',
      ],
    },
  },
  settings: {
    event_subscriptions: { bot_events: ['app_home_opened', 'app_mention'] },
    interactivity: { is_enabled: true },
    org_deploy_enabled: false,
    socket_mode_enabled: true,
    token_rotation_enabled: false,
  },
};

/** Starts a small Bolt app over Socket Mode that answers everything the page's test clicks; the answer stops it. */
export async function startPageApp(url: string): Promise<() => Promise<unknown>> {
  const app = new App({
    token: 'xoxb-sandbox-acme',
    appToken: 'xapp-sandbox',
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: `${url}/api/` },
  });

  app.command('/page', async ({ ack, command, client, respond }) => {
    await ack();
    const { text, channel_id: channel, trigger_id } = command;
    if (text === 'card')
      await client.chat.postMessage({ channel, text: 'VPS-10001 is running', blocks: card });
    else if (text === 'form') await client.views.open({ trigger_id, view: form() });
    else if (text === 'kinds') await client.views.open({ trigger_id, view: kinds });
    else await respond({ text: `You typed ${text}`, response_type: 'ephemeral' });
  });

  app.action('reboot', async ({ ack, body, client }) => {
    await ack();
    if (body.type !== 'block_actions' || !body.channel || !body.message) return;
    const blocks = [{ type: 'section' as const, text: marked(`Rebooting for <@${body.user.id}>`) }];
    await client.chat.update({ channel: body.channel.id, ts: body.message.ts, text: 'Rebooting', blocks });
  });

  app.action(/^(more|period)$/, async ({ ack, action, respond }) => {
    await ack();
    const value = 'selected_option' in action ? action.selected_option?.value : undefined;
    await respond({ text: `You chose ${value}`, response_type: 'ephemeral', replace_original: false });
  });

  app.action('explain', async ({ ack, body, client }) => {
    await ack();
    if (body.type !== 'block_actions') return;
    await client.views.push({ trigger_id: body.trigger_id, view: explanation });
  });

  app.action('deeper', async ({ ack, body, client }) => {
    await ack();
    if (body.type !== 'block_actions') return;
    const blocks = [{ type: 'section' as const, text: marked('VPS are servers.') }];
    await client.views.push({
      trigger_id: body.trigger_id,
      view: { type: 'modal', title: plain('About VPS'), blocks },
    });
  });

  app.action('mode', async ({ ack, body, action, client }) => {
    await ack();
    if (body.type !== 'block_actions' || !body.view || action.type !== 'static_select') return;
    const { id: view_id, hash } = body.view;
    await client.views.update({ view_id, hash, view: form(action.selected_option.value) });
  });

  app.view('kinds', async ({ ack, view, client }) => {
    await ack();
    const values = Object.values(view.state.values).flatMap((actions) => Object.values(actions));
    await client.chat.postMessage({ channel: 'C0OPS', text: `\`\`\`${JSON.stringify(values)}\`\`\`` });
  });

  app.options('pick', async ({ ack, payload }) => {
    const found = fleet.filter((name) => name.includes(payload.value));
    await ack({ options: found.map((name) => ({ text: plain(name), value: name })) });
  });

  app.view('form', async ({ ack, view, body, client }) => {
    const { domain, vps } = view.state.values;
    const name = domain?.value?.value ?? '';
    if (name === 'taken.example.com') {
      await ack({ response_action: 'errors', errors: { domain: 'This domain is taken.' } });
      return;
    }
    await ack();
    const target = vps?.pick?.selected_option?.value;
    await client.chat.postMessage({
      channel: 'C0OPS',
      text: `<@${body.user.id}> pointed ${name} at ${target}`,
    });
  });

  app.shortcut('new_form', async ({ ack, shortcut, client }) => {
    await ack();
    await client.views.open({ trigger_id: shortcut.trigger_id, view: form() });
  });

  app.shortcut('keep', async ({ ack, shortcut, respond }) => {
    await ack();
    if (shortcut.type === 'message_action') await respond({ text: `Kept: ${shortcut.message.text}` });
  });

  app.event('app_mention', async ({ event, say }) => {
    await say({
      text: `I read: ${event.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}`,
      thread_ts: event.thread_ts ?? event.ts,
    });
  });

  app.event('app_home_opened', async ({ event, client }) => {
    const blocks = [{ type: 'section' as const, text: marked('*Your fleet*') }];
    await client.views.publish({ user_id: event.user, view: { type: 'home', blocks } });
  });

  await app.start();
  return () => app.stop();
}
