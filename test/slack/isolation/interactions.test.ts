import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { textOf } from '../../stack.ts';
import { deliver, type Person } from './forge.ts';
import { type Stage, startStage } from './stage.ts';
import { type Element, elementsOfMessages, type SentView, viewOf } from './surfaces.ts';

const acme = { team: 'T0ACME', home: 'T0ACME' };

/** Who tries everything that is in front of Alice. */
const people: Readonly<Record<string, Person>> = {
  'a member without rights': { user: 'U0BOB', ...acme },
  'a guest': { user: 'U0DAVE', ...acme },
  'somebody of another organisation': { user: 'U0ERIN', ...acme, home: 'T0INITECH' },
  'the owner of another workspace': { user: 'U0GWEN', team: 'T0GLOBEX', home: 'T0GLOBEX' },
};

/** What the owner of another workspace is told: of theirs, which has no key, and that nothing of Alice's is there. */
const notThere = [
  'Grant a right',
  'Grant a right to people, groups, or every member: the form asks for what is missing.',
  'Take a snapshot of a VPS: the form asks for what is missing.',
  /^There is no rule "[0-9a-f]+" here: .+\. Nothing was changed\.$/,
  'The limit is lifted',
  'There is no such request any more. Whoever needs it can ask again.',
  'There was nothing to revoke',
  'This request is not yours, or it does not exist. Nothing was changed.',
  'This workspace is not connected to the hosting service yet. Nothing was changed.',
  'Who may do what',
];

/** What a press in a view comes to that is not there for who presses. */
const noView = [
  'Slack let too much time pass. Nothing was changed: press the button again.',
  'Something went wrong inside Rackhand. Whatever has begun goes on, and its own message tells how it ends.',
];

/** All that they may be told, whatever they press and send, and what they surely are. */
const told: Readonly<
  Record<string, { readonly surely: readonly string[]; readonly atMost: readonly (string | RegExp)[] }>
> = {
  'a member without rights': {
    surely: [
      'This request is not yours, or it does not exist. Nothing was changed.',
      'You lack the right to administer Rackhand. Nothing was changed.',
      'You lack the right to change something on VPS-10002. Nothing was changed.',
      'You lack the right to change something on VPS-10004. Nothing was changed.',
      'You lack the right to destroy something on VPS-10001. Nothing was changed.',
      'You lack the right to look on VPS-10001. Nothing was changed.',
    ],
    // Help, the quota, and their own rights are for every member.
    atMost: [
      'Grant a right',
      /^\d+ of 50 calls left this minute$/,
      'You lack the right to look on any VPS. Nothing was changed.',
      'You may do nothing here yet',
      ...noView,
    ],
  },
  'a guest': {
    surely: ['Guests of this workspace cannot use Rackhand. Nothing was changed.'],
    atMost: [],
  },
  'somebody of another organisation': {
    surely: ['Only people of this workspace can use Rackhand. Nothing was changed.'],
    atMost: [],
  },
  'the owner of another workspace': { surely: [], atMost: [...notThere, ...noView] },
};

/** What is filled into the views, so that nothing but who sends them keeps them from being taken. */
const filled: Readonly<Record<string, object>> = {
  'access:grant': {
    people: { value: { type: 'multi_users_select', selected_users: ['U0BOB'] } },
    right: { value: { type: 'radio_buttons', selected_option: { value: 'administer' } } },
  },
  'access:limit': {
    channel: { value: { type: 'conversations_select', selected_conversation: 'C0OPS' } },
    right: { value: { type: 'radio_buttons', selected_option: { value: 'destroy' } } },
  },
  'connection:key': { api_key: { value: { type: 'plain_text_input', value: 'sandbox-key-read' } } },
  'operation-chooser': {
    operation: { value: { type: 'static_select', selected_option: { value: 'list' } } },
  },
  'typed-confirmation': { typed: { value: { type: 'plain_text_input', value: 'VPS-10003' } } },
};

let stage: Stage;
const elements = new Map<string, Element>();
const views = new Map<string, SentView>();

function keep(found: readonly Element[], sent: readonly SentView[] = []): void {
  for (const element of found) elements.set(element.key, element);
  for (const view of sent) views.set(view.name, view);
}

/** Waits until something says so. */
async function until(words: string, look: () => Promise<string>): Promise<void> {
  await eventually(async () => {
    if (!(await look()).includes(words)) throw new Error(`nothing says ${words}`);
  });
}

/** Keeps what is in the topmost view of Alice, once it says something. */
async function keepView(words: string): Promise<void> {
  await until(words, async () => textOf(await stage.slack.modal()));
  const { elements: found, sent } = await viewOf(stage, 'U0ALICE');
  keep(found, sent);
}

/** Alice, who owns the workspace, has everything in front of her that Rackhand shows. */
beforeAll(async () => {
  stage = await startStage();
  const { slack, service } = stage;
  const say = async (text: string, words: string) => {
    await slack.slash(text);
    return slack.message(words);
  };
  await slack.slash('access ask change', { user: 'U0CAROL' });
  await slack.message('Somebody asks for a right', 'U0ALICE');
  keep(await elementsOfMessages(stage, 'U0ALICE', 'U0ALICE'));
  await say('list', '60 VPS');
  keep(await elementsOfMessages(stage, 'U0ALICE'));
  await slack.click(await slack.message('60 VPS'), 'page:next');
  await until('page:previous', async () => JSON.stringify(await slack.messages()));
  await say('backup show VPS-10001', 'Backup');
  await say('access grant nobody look', 'Slack does not know nobody');
  await say('access channel #quiet look', 'The channel is limited to “look”');
  await service.fault('status:409', { method: 'POST' });
  const failed = await say('snapshot create VPS-10004 nightly', '❌ Failed');
  await say('approval require disturb --channel #ops', 'a second person approves');
  await slack.click(await say('reboot VPS-10002', 'Reboot VPS-10002?'), 'confirm');
  await slack.message('Reboot VPS-10002: a second person is asked');
  await say('reboot VPS-10001', 'Reboot VPS-10001?');
  const reinstall = await say('reinstall VPS-10003 --os debian-13', 'Reinstall VPS-10003 with');
  keep(await elementsOfMessages(stage, 'U0ALICE'));
  await slack.click(reinstall, 'confirm:typed');
  await keepView('Type VPS-10003');
  for (const [text, words] of [
    ['access', '<@U0CAROL>'],
    ['access grant', 'User groups'],
    ['access channel', 'At most'],
    ['rotate', 'New API key'],
    ['disconnect', 'Delete the API key'],
    ['lb create', 'Backend'],
  ] as const) {
    await slack.slash(text);
    await keepView(words);
  }
  const form = await slack.modal();
  await slack.act('click', { user: 'U0ALICE', view: form.id, action_id: 'row:add' });
  await keepView('row:remove');
  await slack.act('shortcut', { user: 'U0ALICE', callback_id: 'run-operation' });
  await keepView('What to do');
  await slack.click(failed, 'step:0');
  await keepView('nightly');
  await slack.act('home', { user: 'U0ALICE' });
  await until('VPS-10001', () => slack.home());
  keep((await viewOf(stage, 'U0ALICE', 'home')).elements);
}, 60_000);

afterAll(() => stage.close());

/** A trigger of the person's own, as every press has one. */
async function triggerOf({ user, team }: Person): Promise<string> {
  const channel = team === 'T0ACME' ? 'C0OPS' : 'C0GLOBEX';
  const { trigger_id } = await stage.slack.act('slash', {
    team,
    user,
    channel,
    command: '/vps',
    text: 'quota',
  });
  return String(trigger_id);
}

async function press(person: Person, { action, place, isHeard }: Element): Promise<void> {
  if (String(action.type).endsWith('external_select')) {
    const { block_id, action_id } = action;
    const asked = { type: 'block_suggestion', block_id, action_id, value: '', ...place };
    expect(await deliver(stage, person, asked)).toEqual({ options: [] });
  }
  if (!isHeard) return;
  const trigger_id = await triggerOf(person);
  await deliver(stage, person, { type: 'block_actions', trigger_id, ...place, actions: [action] });
}

async function send(person: Person, { name, view }: SentView): Promise<void> {
  const trigger_id = await triggerOf(person);
  const state = { values: { ...Object(Object(view.state).values), ...filled[name] } };
  await deliver(stage, person, { type: 'view_submission', trigger_id, view: { ...view, state } });
}

/** Everything that a person was told, and nobody else. */
async function toldTo({ user, team }: Person): Promise<readonly string[]> {
  const { slack } = stage;
  const channel = team === 'T0ACME' ? 'C0OPS' : 'C0GLOBEX';
  const inChannel = (await slack.messages(channel, user, team)).filter(({ ephemeral }) => ephemeral);
  const direct = await slack.messages(user, user, team);
  return [...new Set([...inChannel, ...direct].map(({ text }) => text))];
}

describe('everything that is in front of Alice, in the hands of others', () => {
  test('is all that there is to press and to send', () => {
    const names = new Set([...elements.values()].map(({ name }) => name.replace(/^step:\d+$/, 'step')));
    expect([...names].sort()).toEqual([
      'access:groups',
      'access:lift',
      'access:open-grant',
      'access:open-limit',
      'access:revoke',
      'approve',
      'cancel',
      'confirm',
      'confirm:typed',
      'decline',
      'home:next',
      'home:refresh',
      'home:vps',
      'page:next',
      'page:previous',
      'remote',
      'request:decline',
      'request:grant',
      'row:add',
      'row:remove',
      'secret',
      'share',
      'step',
      'value',
    ]);
    expect([...views.keys()].sort()).toEqual([
      'access:grant',
      'access:limit',
      'connection:disconnect',
      'connection:key',
      'operation-chooser',
      'operation-form',
      'typed-confirmation',
    ]);
  });

  test('does nothing', { timeout: 120_000 }, async () => {
    const { service } = stage;
    const before = { kept: stage.kept(), calls: (await service.calls()).length };
    for (const person of Object.values(people)) {
      for (const element of elements.values()) await press(person, element);
      for (const view of views.values()) await send(person, view);
    }
    await stage.finish();
    expect({ kept: stage.kept(), calls: (await service.calls()).length }).toEqual(before);
    for (const [name, person] of Object.entries(people)) {
      const { surely = [], atMost = [] } = told[name] ?? {};
      const heard = await toldTo(person);
      expect(heard, name).toEqual(expect.arrayContaining([...surely]));
      const more = heard.filter(
        (text) =>
          ![...surely, ...atMost].some((one) => (typeof one === 'string' ? one === text : one.test(text))),
      );
      expect(more, name).toEqual([]);
    }
    for (const user of ['U0DAVE', 'U0ERIN']) expect(await stage.slack.openModals(user)).toEqual([]);
  });
});
