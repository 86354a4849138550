import { App, Assistant, LogLevel } from '@slack/bolt';
import { expect, test } from 'vitest';
import { findSeriousViolations } from '../fixture/axe-findings.ts';
import { fixtureManifest } from '../fixture/fixture-app.ts';
import { setUpPage } from '../fixture/page-fixture.ts';

const { oauth_config, features, settings } = fixtureManifest;
const manifest = {
  ...fixtureManifest,
  features: { ...features, assistant_view: {}, agent_view: { agent_description: 'Looks after servers' } },
  oauth_config: { scopes: { bot: [...oauth_config.scopes.bot, 'assistant:write', 'im:history'] } },
  settings: {
    ...settings,
    event_subscriptions: {
      bot_events: [
        ...['assistant_thread_started', 'assistant_thread_context_changed', 'message.im'],
        ...['entity_details_requested', 'function_executed', 'agent_session_stopped'],
      ],
    },
  },
  functions: {
    approve: {
      title: 'Approve',
      description: 'Asks someone to approve a cost',
      input_parameters: {
        approver: { type: 'slack#/types/user_id', title: 'Approver', is_required: true },
        cost: { type: 'number', title: 'Cost', is_required: true },
        notes: { type: 'object', title: 'Notes' },
      },
      output_parameters: { answer: { type: 'string', is_required: true } },
    },
  },
};

const task = {
  entity_type: 'slack#/entities/task',
  url: 'https://tasks.example/1',
  external_ref: { id: '1' },
  entity_payload: {
    attributes: { title: { text: 'Renew the certificate' } },
    fields: { status: { value: 'Open' }, due_date: { value: '2030-02-01', label: 'Due' } },
    custom_fields: [{ key: 'effort', label: 'Effort', type: 'string', value: '2 hours' }],
    actions: {
      primary_actions: [{ text: 'Finish', action_id: 'finish', value: '1', style: 'primary' }],
      overflow_actions: [{ text: 'Remind Me', action_id: 'remind' }],
    },
  },
};

async function startApp(url: string): Promise<() => Promise<unknown>> {
  const app = new App({
    token: 'xoxb-sandbox-acme',
    appToken: 'xapp-sandbox',
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: `${url}/api/` },
  });
  app.function('approve', async ({ inputs, complete, fail }) => {
    if (Number(inputs.cost) > 100) await fail({ error: 'This costs too much' });
    else
      await complete({ outputs: { answer: `${inputs.approver} approves ${JSON.stringify(inputs.notes)}` } });
  });
  app.assistant(
    new Assistant({
      threadStarted: async ({ setSuggestedPrompts, setTitle }) => {
        await setTitle('Your fleet');
        await setSuggestedPrompts({
          title: 'Ask me',
          prompts: [{ title: 'What is down?', message: 'Which VPS are down?' }],
        });
      },
      userMessage: async ({ message, say }) => {
        await say(`You asked: ${'text' in message ? message.text : ''}`);
      },
    }),
  );
  app.event('entity_details_requested', async ({ event, client }) => {
    await client.apiCall('entity.presentDetails', { trigger_id: event.trigger_id, metadata: task });
  });
  app.event('agent_session_stopped', async ({ event, client }) => {
    const { channel, thread_ts } = event;
    await client.apiCall('agents.sessions.setStatus', { channel_id: channel, thread_ts, status: 'active' });
  });
  app.action('finish', async ({ ack, body, client }) => {
    await ack();
    const { entity_payload: payload } = task;
    const done = { ...task, entity_payload: { ...payload, fields: { status: { value: 'Done' } } } };
    const trigger_id = 'trigger_id' in body ? body.trigger_id : '';
    await client.apiCall('entity.presentDetails', { trigger_id, metadata: done });
  });
  app.action('remind', async ({ ack, body, client }) => {
    await ack();
    await client.chat.postMessage({ channel: 'C0OPS', text: `I remind <@${body.user.id}>` });
  });
  await app.start();
  return () => app.stop();
}

const { page, post, url, thread, modal, messages, send, lastMessage } = setUpPage({
  sandbox: { manifest },
  startApp,
});

/** Calls a method as the app does. */
async function callMethod(method: string, body: object) {
  const answer = await fetch(`${url()}/api/${method}`, {
    method: 'POST',
    headers: { authorization: 'Bearer xoxb-sandbox-acme', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(await answer.json()).toMatchObject({ ok: true });
}

test('the steps panel runs a step, and shows its outputs or its error', async () => {
  await page().getByRole('button', { name: 'Steps' }).click();
  const form = page().getByRole('form', { name: 'Approve' });
  await form.getByLabel('Approver').selectOption({ label: 'Bob Brown' });
  await form.getByLabel('Cost').fill('20');
  await form.getByLabel('Notes (optional)').fill('{"why": ');
  await form.getByRole('button', { name: 'Run Step' }).click();
  await form.getByText('Notes must be JSON').waitFor();

  await form.getByLabel('Notes (optional)').fill('{"why": "disk"}');
  await form.getByRole('button', { name: 'Run Step' }).click();
  await page().getByText('answer: U0BOB approves {"why":"disk"}').waitFor();
  expect(await findSeriousViolations(page())).toEqual([]);

  await form.getByLabel('Cost').fill('200');
  await form.getByRole('button', { name: 'Run Step' }).click();
  await page().getByText('This costs too much').waitFor();
  const runs = page().getByRole('region', { name: 'Runs' }).getByRole('listitem');
  expect(await runs.first().innerText()).toContain('Failed · Alice Adams');
});

test("an agent's thread opens with its title and prompts, and a prompt is sent as the person's message", async () => {
  await page().getByRole('link', { name: 'Pagetest' }).click();
  await page().getByRole('link', { name: 'Messages' }).click();
  await page().getByRole('button', { name: 'New Thread' }).click();
  const agent = page().getByRole('region', { name: 'Agent' });
  await agent.getByRole('heading', { name: 'Your fleet' }).waitFor();
  await agent.getByRole('group', { name: 'Ask me' }).getByRole('button', { name: 'What is down?' }).click();
  await thread().getByText('You asked: Which VPS are down?').waitFor();
  expect(await findSeriousViolations(page())).toEqual([]);
});

test("an agent's session shows its title and status, and is stopped from its thread", async () => {
  await send('Check the disks');
  await lastMessage().hover();
  await lastMessage().getByRole('button', { name: 'Reply in thread' }).click();
  const ts = (await lastMessage().getAttribute('data-ts')) ?? '';
  const session = { channel_id: 'C0OPS', thread_ts: ts, status: 'processing', title: 'Disks' };
  await callMethod('agents.sessions.setStatus', session);
  const agent = page().getByRole('region', { name: 'Agent' });
  await agent.getByRole('heading', { name: 'Disks' }).waitFor();
  await agent.getByText('Session: processing').waitFor();
  expect(await findSeriousViolations(page())).toEqual([]);

  await agent.getByRole('button', { name: 'Stop' }).click();
  await agent.getByText('Session: active').waitFor();
  expect(await agent.getByRole('button', { name: 'Stop' }).count()).toBe(0);
});

test('a work object opens with the details that the app presents, and its buttons reach the app', async () => {
  const message = { channel: 'C0OPS', text: 'A task', metadata: { entities: [task] } };
  await callMethod('chat.postMessage', message);
  await page().getByRole('button', { name: 'Open Renew the certificate' }).click();
  const details = modal();
  await details.getByText('2 hours').waitFor();
  expect(await details.innerText()).toMatch(/Task\s+Status\s+Open\s+Due\s+2030-02-01\s+Effort\s+2 hours/);
  expect(await findSeriousViolations(page())).toEqual([]);
  await details.getByRole('button', { name: 'Finish' }).click();
  await details.getByText('Done').waitFor();
  expect(await details.innerText()).not.toContain('Open');
  await page().keyboard.press('Escape');
  await messages().last().getByRole('button', { name: 'Remind Me' }).click();
  await messages().getByText('I remind').waitFor();

  await post('reset');
  await page().getByRole('button', { name: 'Open Renew the certificate' }).waitFor({ state: 'detached' });
});
