import { createHmac } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { blocksText } from '../../stack.ts';
import { type StackFixture, startStackFixture } from '../stack-fixture.ts';

/** The person who sends a payload. */
interface Person {
  readonly user: string;
  /** The workspace in which the person acts. */
  readonly team: string;
  /** The workspace to which the person belongs. */
  readonly home: string;
}

/**
 * Delivers an interactive payload to the app over HTTP, signed like Slack does. Returns the
 * response body.
 */
async function deliverPayload(harness: StackFixture, person: Person, fields: Json): Promise<Json> {
  const payload = {
    user: { id: person.user, team_id: person.home },
    team: { id: person.team, domain: 'somewhere' },
    api_app_id: 'A0SANDBOX',
    is_enterprise_install: false,
    ...fields,
  };
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const digest = createHmac('sha256', 'sandbox-signing-secret')
    .update(`v0:${timestamp}:${body}`)
    .digest('hex');
  const response = await fetch(harness.appUrl, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${digest}`,
    },
  });
  if (!response.ok) throw new Error(`the app answered ${response.status}`);
  const text = await response.text();
  return text === '' ? {} : JSON.parse(text);
}

const json = z.record(z.string(), z.unknown());

type Json = z.infer<typeof json>;

/** An interactive element, with the payload that Slack would send for it. */
interface ActionElement {
  /** The action ID. */
  readonly name: string;
  /** Tells elements with the same action ID apart. */
  readonly key: string;
  readonly action: Json;
  /** Whether using the element sends a payload. Plain form fields don't. */
  readonly isDispatched: boolean;
  readonly place: Json;
}

/** A view as Slack delivers it when it is submitted. */
interface SubmittableView {
  readonly name: string;
  readonly view: Json;
}

/** Lists the elements of all messages that a person can see in a channel. */
async function listMessageElements(
  { slack }: StackFixture,
  user: string,
  channel = 'C0OPS',
): Promise<readonly ActionElement[]> {
  const messages = await slack.messages(channel, user);
  return messages.flatMap((message) =>
    findElements(message.blocks).map((found) => {
      const container = {
        type: 'message',
        message_ts: message.ts,
        channel_id: 'C0OPS',
        is_ephemeral: message.ephemeral,
      };
      return toElement(found, { container, channel: { id: 'C0OPS', name: 'ops' } });
    }),
  );
}

/**
 * Lists the elements of a person's topmost modal or App Home. Also returns the view itself if it
 * can be submitted.
 */
async function readView(
  { slack }: StackFixture,
  user: string,
  kind: 'modal' | 'home' = 'modal',
): Promise<{ readonly elements: readonly ActionElement[]; readonly sent: readonly SubmittableView[] }> {
  const answer = await (await fetch(`${slack.url}/sandbox/views?user=${user}`)).json();
  const { modals, home } = z.object({ modals: z.array(json), home: json.nullable() }).parse(answer);
  const view = kind === 'home' ? home : modals.at(-1);
  if (!view) throw new Error(`${user} sees no ${kind}`);
  const container = { type: 'view', view_id: view.id };
  const elements = findElements(view.blocks).map((found) => toElement(found, { container, view }));
  const callbackId = z.string().catch('').parse(view.callback_id);
  return { elements, sent: view.submit ? [{ name: callbackId, view }] : [] };
}

interface FoundElement {
  readonly block: Json;
  readonly element: Json;
}

function findElements(blocks: unknown): readonly FoundElement[] {
  return z
    .array(json)
    .parse(blocks)
    .flatMap((block) => {
      const inside = [
        ...(Array.isArray(block.elements) ? block.elements : []),
        block.accessory,
        block.element,
      ];
      return inside.flatMap((candidate) => {
        const element = json.safeParse(candidate).data;
        if (!element || typeof element.action_id !== 'string') return [];
        return [{ block, element }];
      });
    });
}

/** Returns the element's first option, or a VPS if its options have to be loaded. */
function firstOption(element: Json): Json {
  const options = z.array(json).catch([]).parse(element.options);
  const [first = { text: { type: 'plain_text', text: 'VPS-10001' }, value: 'VPS-10001' }] = options;
  return first;
}

function toElement({ block, element }: FoundElement, place: Json): ActionElement {
  const actionId = String(element.action_id);
  const isButton = element.type === 'button';
  const action = {
    type: element.type,
    action_id: actionId,
    block_id: block.block_id,
    action_ts: String(Date.now() / 1_000),
    ...(isButton ? { value: element.value } : { selected_option: firstOption(element) }),
  };
  const key = JSON.stringify([actionId, element.value, place.container]);
  const isDispatched = block.type !== 'input' || block.dispatch_action === true;
  return { name: actionId, key, action, isDispatched, place };
}

const acme = { team: 'T0ACME', home: 'T0ACME' };

const memberWithoutRights: Person = { user: 'U0BOB', ...acme };

/**
 * People who replay every element and view that Alice sees. The walk over the catalogue has the other people who
 * aren't members.
 */
const people: Readonly<Record<string, Person>> = {
  'a member without rights': memberWithoutRights,
  'a guest': { user: 'U0DAVE', ...acme },
  'the owner of another workspace': { user: 'U0GWEN', team: 'T0GLOBEX', home: 'T0GLOBEX' },
};

/** Valid values for the views, so that only the sender can be the reason for a rejection. */
const formValues: Readonly<Record<string, object>> = {
  'api-key': { api_key: { value: { type: 'plain_text_input', value: 'sandbox-key-read' } } },
  'operation-chooser': {
    operation: { value: { type: 'static_select', selected_option: { value: 'list' } } },
  },
  'typed-confirmation': { typed: { value: { type: 'plain_text_input', value: 'VPS-10003' } } },
};

let harness: StackFixture;
const elements = new Map<string, ActionElement>();
const views = new Map<string, SubmittableView>();

function collect(found: readonly ActionElement[], sent: readonly SubmittableView[] = []): void {
  for (const element of found) elements.set(element.key, element);
  for (const view of sent) views.set(view.name, view);
}

async function waitForText(text: string, read: () => Promise<string>): Promise<void> {
  await harness.slack.untilSeen(async () => {
    if (!(await read()).includes(text)) throw new Error(`nothing contains ${text}`);
  });
}

/** Collects Alice's topmost view once it contains a text. */
async function collectView(text: string): Promise<void> {
  await waitForText(text, async () => blocksText(await harness.slack.modal()));
  const { elements: found, sent } = await readView(harness, 'U0ALICE');
  collect(found, sent);
}

/** Brings up everything that Rackhand can show to Alice, the workspace owner. */
async function showEverything(): Promise<void> {
  const { slack, service } = harness;
  const run = async (command: string, answer: string) => {
    await slack.slash(command);
    return slack.message(answer);
  };
  await slack.slash('access ask operate', { user: 'U0CAROL' });
  await slack.message(/^operate .*: approval needed/, 'U0ALICE');
  collect(await listMessageElements(harness, 'U0ALICE', 'U0ALICE'));
  await run('list', '120 VPS');
  collect(await listMessageElements(harness, 'U0ALICE'));
  await slack.click(await slack.message('120 VPS'), 'page:next');
  await waitForText('page:previous', async () => JSON.stringify(await slack.newMessages()));
  await run('backup show VPS-10001', 'Backup');
  await run('access grant nobody view', "Slack doesn't know nobody");
  await run('access channel #quiet view', 'The channel is limited to "view"');
  await service.fault('status:409', { method: 'POST' });
  const failed = await run('snapshot create VPS-10004 nightly', '❌ Failed');
  await run('approval require disrupt --channel #ops', 'Approval is now required for');
  await slack.click(await run('reboot VPS-10002', 'Reboot web-02 (VPS-10002)?'), 'confirm');
  await slack.message('Reboot web-02 (VPS-10002): approval needed');
  await run('reboot VPS-10001', 'Reboot web-01 (VPS-10001)?');
  const reinstall = await run('reinstall VPS-10003 --os debian-13', 'Reinstall api-01 (VPS-10003) with');
  collect(await listMessageElements(harness, 'U0ALICE'));
  await slack.click(reinstall, 'confirm:typed');
  await collectView('Type VPS-10003');
  await run('access grant @carol admin', 'Granted: admin');
  await slack.click(await run('approval delete disrupt', 'Delete the approval rule'), 'Delete Rule');
  await slack.message('Another admin has to approve this');
  await slack.message(/^Delete .*: approval needed/, 'U0CAROL', 'U0CAROL');
  collect(await listMessageElements(harness, 'U0CAROL', 'U0CAROL'));
  await run('access', 'Access in this workspace');
  collect(await listMessageElements(harness, 'U0ALICE'));
  for (const [command, text] of [
    ['access grant', 'reveal: also see secrets'],
    ['access channel', 'admin: no limit'],
    ['rotate', 'New API key'],
    ['lb create', 'Backend'],
  ] as const) {
    await slack.slash(command);
    await collectView(text);
  }
  const form = await slack.modal();
  await slack.act('click', { user: 'U0ALICE', view: form.id, action_id: 'row:add' });
  await collectView('row:remove');
  await slack.act('shortcut', { user: 'U0ALICE', callback_id: 'run-operation' });
  await collectView('Choose an operation');
  await slack.click(failed, 'Edit and Retry');
  await collectView('nightly');
  await slack.act('home', { user: 'U0ALICE' });
  await waitForText('VPS-10001', () => slack.home());
  collect((await readView(harness, 'U0ALICE', 'home')).elements);
}

/** Creates a trigger ID for the person, as every click has one, and lets it reach the age. */
async function createTrigger({ user, team }: Person, ageMs: number): Promise<string> {
  const channel = team === 'T0ACME' ? 'C0OPS' : 'C0GLOBEX';
  // Slack accepts one message a second for a channel. Without this, the replies would wait.
  await harness.slack.act('clock', { advance_ms: 1_000 });
  const { trigger_id } = await harness.slack.act('slash', {
    team,
    user,
    channel,
    command: '/vps',
    text: 'quota',
  });
  await harness.slack.act('clock', { advance_ms: ageMs });
  return String(trigger_id);
}

async function press(
  person: Person,
  { action, place, isDispatched }: ActionElement,
  triggerAgeMs: number,
): Promise<void> {
  if (String(action.type).endsWith('external_select')) {
    const { block_id, action_id } = action;
    const payload = { type: 'block_suggestion', block_id, action_id, value: '', ...place };
    const offered = await deliverPayload(harness, person, payload);
    // The owner of another workspace is offered the people of that one.
    if (person.team === 'T0ACME') expect(offered).toEqual({ options: [] });
    else expect(JSON.stringify(offered)).not.toMatch(/U0ALICE|U0BOB|U0CAROL|S0ONCALL|VPS-/);
  }
  if (!isDispatched) return;
  const trigger_id = await createTrigger(person, triggerAgeMs);
  await deliverPayload(harness, person, { type: 'block_actions', trigger_id, ...place, actions: [action] });
}

async function send(person: Person, { name, view }: SubmittableView, triggerAgeMs: number): Promise<void> {
  const trigger_id = await createTrigger(person, triggerAgeMs);
  const state = { values: { ...Object(Object(view.state).values), ...formValues[name] } };
  await deliverPayload(harness, person, { type: 'view_submission', trigger_id, view: { ...view, state } });
}

/** Reads the texts that only this person can see. */
async function readMessages({ user, team }: Person): Promise<readonly string[]> {
  const { slack } = harness;
  const channel = team === 'T0ACME' ? 'C0OPS' : 'C0GLOBEX';
  const inChannel = (await slack.messages(channel, user, team)).filter(({ ephemeral }) => ephemeral);
  const direct = await slack.messages(user, user, team);
  return [...new Set([...inChannel, ...direct].map(({ text }) => text))];
}

function expectEveryActionAndView(): void {
  const names = new Set([...elements.values()].map(({ name }) => name.replace(/^step:\d+$/, 'step')));
  expect([...names].sort()).toEqual([
    'cancel',
    'confirm',
    'confirm:snapshot-first',
    'confirm:typed',
    'home:refresh',
    'home:vps',
    'page:next',
    'page:previous',
    'remote',
    'row:add',
    'row:remove',
    'secret',
    'share',
    'step',
    'value',
  ]);
  expect([...views.keys()].sort()).toEqual([
    'api-key',
    'operation-chooser',
    'operation-form',
    'typed-confirmation',
  ]);
}

/** Everything that Rackhand stores about the workspace. Only Alice's runs are included. */
const readStored = () =>
  [
    'select * from access_grant order by grantee, pattern',
    'select * from channel_limit order by channel',
    'select * from approval_rule order by id',
    'select id, decision from ask order by id',
    'select team_id, fingerprint, quota, connected_by from api_key order by team_id',
    'select id from one_time_secret order by id',
    "select id, operation, status, approved_by from run where user_id = 'U0ALICE' order by id",
  ].map((statement) => harness.query(statement));

/** So old that a click can't open a window any more. */
const lateMs = 4_000;

test('no element or view of the owner changes or calls anything when someone else uses it', async () => {
  harness = await startStackFixture({
    delivery: 'http',
    hosting: { vpsCount: 120 },
    grants: [{ grantee: 'U0CAROL', right: 'view', pattern: '*' }],
  });
  onTestFinished(harness.close);
  await showEverything();
  expectEveryActionAndView();
  const { slack, service } = harness;
  const before = { stored: readStored(), calls: (await service.calls()).length };
  const useAll = async (person: Person, ageMs: number) => {
    for (const element of elements.values()) await press(person, element, ageMs);
    for (const view of views.values()) await send(person, view, ageMs);
  };
  for (const person of Object.values(people)) await useAll(person, 0);
  await useAll(memberWithoutRights, lateMs);
  await harness.stopApp();
  expect({ stored: readStored(), calls: (await service.calls()).length }).toEqual(before);
  const [ofMember = [], ofGuest = [], ofStranger = []] = await Promise.all(
    Object.values(people).map(readMessages),
  );
  for (const words of ['administer Rackhand', 'operate VPS-10002', 'make destructive changes to VPS-10001'])
    expect(ofMember).toContain(`You don't have permission to ${words}. Nothing was changed.`);
  expect(ofGuest).toEqual(["Guests can't use Rackhand. Nothing was changed."]);
  expect(ofStranger.length).toBeGreaterThan(5);
  // A rule is known by its ID, which is in the button that was replayed.
  expect(ofStranger.filter((text) => /VPS-\d|U0(ALICE|BOB|CAROL)|@(alice|bob|carol)/.test(text))).toEqual([]);
  expect(await slack.openModals('U0DAVE')).toEqual([]);
});
