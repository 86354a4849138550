import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { granted, type ModalView, type RunningStack, startStack, textOf } from '../stack.ts';

let running: RunningStack;
beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

const bob = { user: 'U0BOB' };

/** Waits until a person's topmost view says something. */
async function viewSaying(words: string, user = 'U0ALICE'): Promise<ModalView> {
  return expect
    .poll(async () => (await running.slack.openModals(user)).map(textOf).at(-1))
    .toContain(words)
    .then(() => running.slack.modal(user));
}

const right = (value: string) => ({ right: { value: { selected_option: { value } } } });
const people = (...selected_users: string[]) => ({ people: { value: { selected_users } } });
const vps = (value: string) => ({ vps: { value: { value } } });

async function refusals(user: string, words: string): Promise<number> {
  const messages = await running.slack.messages('C0OPS', user);
  return messages.filter(({ text }) => text.includes(words)).length;
}

describe('a right that is typed', () => {
  test('is granted, used, and revoked', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot create VPS-10001 one', bob);
    await slack.message('You lack the right to change something on VPS-10001', 'C0OPS', 'U0BOB');
    await slack.slash('access grant @bob change VPS-1000*');
    await slack.message('Granted: change on VPS-1000*');
    await slack.slash('snapshot create VPS-10001 two', bob);
    await slack.message('Take snapshot two of VPS-10001: ✅ Done');
    await slack.slash('snapshot create VPS-10012 three', bob);
    await slack.message('You lack the right to change something on VPS-10012', 'C0OPS', 'U0BOB');
    await slack.slash('access revoke @bob VPS-1000*');
    await slack.message('Revoked');
    await slack.slash('snapshot create VPS-10001 four', bob);
    await expect.poll(() => refusals('U0BOB', 'on VPS-10001.')).toBe(2);
    expect(await service.changes()).toHaveLength(1);
  });

  test('goes to a group, and to whoever is in it', async () => {
    const { slack } = running;
    await slack.slash('access grant @on-call destroy');
    await slack.message('Granted: destroy on all VPS');
    await slack.slash('reboot VPS-10001', bob);
    await slack.message('Reboot VPS-10001?', 'C0OPS', 'U0BOB');
    await slack.slash('reboot VPS-10001', { user: 'U0CAROL' });
    await slack.message('You lack the right', 'C0OPS', 'U0CAROL');
  });

  test.each([
    ['to a guest', '@dave look', '@dave is a guest here'],
    ['to somebody of another organisation', '@erin look', '@erin is not of this workspace'],
    ['to an app', '@Rackhand look', 'is an app'],
    ['to nobody that Slack knows', '@nobody look', 'Slack does not know @nobody here'],
    ['of nothing there is', '@bob everything', 'A right is look, change, destroy or administer'],
    ['on no VPS', '@bob look web-1', 'A VPS name begins with VPS-'],
    ['to administer some VPS', '@bob administer VPS-10001', 'Administering is for everything'],
    ['to administer, to everybody', 'everyone administer', 'Not everybody can administer'],
  ])('is not granted %s', async (_, words, says) => {
    await running.slack.slash(`access grant ${words}`);
    await running.slack.message(says);
  });

  test('is not changed by who may not', async () => {
    const { slack } = running;
    for (const text of [
      'access grant @bob administer',
      'access revoke @carol',
      'access channel #ops destroy',
    ]) {
      await slack.slash(text, bob);
    }
    await expect.poll(() => refusals('U0BOB', 'You lack the right to administer Rackhand')).toBe(3);
    await slack.slash('reboot VPS-10001', bob);
    await slack.message('You lack the right to change something', 'C0OPS', 'U0BOB');
    await slack.slash('show VPS-10001', { user: 'U0CAROL' });
    await slack.message(/^VPS-10001$/, 'C0OPS', 'U0CAROL');
  });

  test('that is less than what is held takes nothing away', async () => {
    const { slack } = running;
    await slack.slash('access grant @bob change');
    await slack.message('Granted: change');
    await slack.slash('access grant @bob look');
    await slack.message('Granted before: look on all VPS, or more');
    await slack.slash('reboot VPS-10001', bob);
    await slack.message('Reboot VPS-10001?', 'C0OPS', 'U0BOB');
  });
});

describe('the access view', () => {
  test('shows who may what, grants, and takes back', async () => {
    const { slack } = running;
    await slack.slash('access');
    const overview = await viewSaying('<@U0BOB>   *look* on all VPS');
    await slack.act('click', { user: 'U0ALICE', view: overview.id, action_id: 'access:open-grant' });
    const form = await viewSaying('User groups');
    const offered = await slack.act('suggest', {
      user: 'U0ALICE',
      view: form.id,
      action_id: 'access:groups',
      text: 'rel',
    });
    expect(offered.options).toMatchObject([{ value: 'S0RELEASE' }]);
    const groups = { groups: { 'access:groups': { selected_options: ['S0RELEASE'] } } };
    const values = { ...people('U0BOB'), ...groups, ...right('destroy'), ...vps('VPS-10001 VPS-2*') };
    await slack.submit(form, values);
    await viewSaying('<@U0BOB>   *destroy* on VPS-10001, VPS-2*');
    const shown = await viewSaying('<!subteam^S0RELEASE>   *destroy* on VPS-10001, VPS-2*');
    expect(textOf(shown)).toContain('Granted: destroy');
    expect(await slack.openModals()).toHaveLength(1);
    await slack.act('click', {
      user: 'U0ALICE',
      view: shown.id,
      block_id: 'grant:0',
      action_id: 'access:revoke',
    });
    const after = await viewSaying('Revoked');
    expect(textOf(after)).not.toContain('<!subteam^S0RELEASE>');
    expect(textOf(after)).toContain('<@U0BOB>   *destroy*');
  });

  test('says beside the field what is wrong', async () => {
    const { slack } = running;
    await slack.slash('access grant');
    const form = await slack.modal();
    const submit = (values: Record<string, unknown>) => slack.submit(form, { ...right('look'), ...values });
    expect((await submit(people('U0BOB', 'U0DAVE'))).errors).toEqual({
      people: '@dave is a guest here, and guests cannot use Rackhand.',
    });
    expect((await submit({ ...people('U0ERIN') })).errors).toEqual({
      people: '@erin is not of this workspace.',
    });
    expect((await submit(people())).errors).toEqual({ people: 'Name a person, a group, or everyone.' });
    expect((await submit({ ...people('U0BOB'), ...vps('web-1') })).errors).toEqual({
      vps: 'A VPS name begins with VPS-, and so does a pattern: VPS-100*.',
    });
    const administer = { ...people('U0BOB'), ...right('administer'), ...vps('VPS-10001') };
    expect((await slack.submit(form, administer)).errors).toEqual({
      vps: 'Administering is for everything: leave the VPS out.',
    });
    await slack.submit(form, { ...people('U0BOB'), ...right('administer'), ...vps('') });
    await viewSaying('<@U0BOB>   *administer* on all VPS');
  });

  test('limits a channel, and lifts the limit', async () => {
    const { slack } = running;
    await slack.slash('access channel', { channel: 'C0OPS' });
    const form = await slack.modal();
    expect(textOf(form)).toContain('"initial_conversation":"C0OPS"');
    await slack.submit(form, right('look'));
    const shown = await viewSaying('<#C0OPS>   at most *look*');
    await slack.slash('reboot VPS-10001');
    await slack.message('This channel is limited to “look”: nobody may change something in it');
    await slack.slash('reboot VPS-10001', { channel: 'C0GENERAL' });
    await slack.message('Reboot VPS-10001?', 'C0GENERAL');
    await slack.act('click', { user: 'U0ALICE', view: shown.id, action_id: 'access:lift' });
    await viewSaying('The limit is lifted');
    await slack.slash('reboot VPS-10001');
    await slack.message('Reboot VPS-10001?');
  });

  test('shows others what they may do themselves', async () => {
    const { slack } = running;
    await slack.slash('access', bob);
    const told = await slack.message('What you may do', 'C0OPS', 'U0BOB');
    expect(textOf(told)).toContain('all VPS');
    expect(await slack.openModals('U0BOB')).toEqual([]);
  });

  test('calls nobody where it is posted to the channel', async () => {
    const { slack } = running;
    await slack.slash('access grant @on-call change');
    await slack.message('Granted');
    await slack.mention('access --public');
    const posted = await slack.message('Who may do what', 'C0OPS', 'U0CAROL');
    expect(posted.ephemeral).toBe(false);
    expect(posted.pings).toEqual([]);
    for (const name of ['@bob', '@on-call']) expect(textOf(posted)).toContain(name);
    const inGeneral = { channel: 'C0GENERAL' };
    await slack.mention('access', inGeneral);
    await slack.click(await slack.message('Who may do what', 'C0GENERAL'), 'share', inGeneral);
    expect((await slack.message('Who may do what', 'C0GENERAL', 'U0CAROL')).pings).toEqual([]);
  });

  test('is a message with buttons after a mention', async () => {
    const { slack } = running;
    await slack.mention('access');
    const told = await slack.message('Who may do what');
    expect(textOf(told)).toContain('"user_id":"U0BOB"');
    await slack.click(told, 'step:0');
    await viewSaying('User groups');
  });
});

describe('who lacks a right', () => {
  test('asks for it, and gets exactly that', async () => {
    const { slack } = running;
    await slack.slash('reboot VPS-10001', bob);
    const refusal = await slack.message('You lack the right', 'C0OPS', 'U0BOB');
    await slack.click(refusal, 'step:0', bob);
    await slack.message('Asked one person for change on VPS-10001', 'C0OPS', 'U0BOB');
    const card = await slack.message('Somebody asks for a right: change on VPS-10001', 'U0ALICE');
    expect(textOf(card)).toContain('<@U0BOB> asks for a right');
    expect(textOf(card)).toContain('look');
    expect(textOf(card)).toContain('They were refused: *Reboot VPS-10001*');
    await slack.click(card, 'request:grant', { channel: 'U0ALICE' });
    const granted = await slack.message('Granted: change on VPS-10001', 'U0BOB', 'U0BOB');
    expect((await slack.messages('U0ALICE')).map(({ text }) => text)).toEqual([
      '✅ Granted: change on VPS-10001',
    ]);
    expect(textOf(granted)).toContain('"Reboot VPS-10001"');
    await slack.click(granted, 'step:0', { user: 'U0BOB', channel: 'U0BOB' });
    await slack.message('Reboot VPS-10001?', 'U0BOB', 'U0BOB');
    await slack.slash('reboot VPS-10002', bob);
    await slack.message('You lack the right to change something on VPS-10002', 'C0OPS', 'U0BOB');
  });

  test('is told when nobody grants it, and is not asked about twice', async () => {
    const { slack } = running;
    await slack.slash('access ask destroy VPS-10001', bob);
    await slack.message('Asked one person', 'C0OPS', 'U0BOB');
    await slack.slash('access ask destroy VPS-10001', bob);
    await slack.message('Asked before: destroy on VPS-10001', 'C0OPS', 'U0BOB');
    const cards = await slack.messages('U0ALICE');
    expect(cards).toHaveLength(1);
    const [card] = cards;
    if (!card) throw new Error('nobody was asked');
    await slack.click(card, 'request:decline', { channel: 'U0ALICE' });
    await slack.message('Not granted: destroy on VPS-10001', 'U0BOB', 'U0BOB');
    await slack.slash('reboot VPS-10001', bob);
    await slack.message('You lack the right', 'C0OPS', 'U0BOB');
  });

  test('gets no form to fill in for nothing', async () => {
    const { slack } = running;
    await slack.slash('reboot', bob);
    const refusal = await slack.message(
      'You lack the right to change something on any VPS',
      'C0OPS',
      'U0BOB',
    );
    expect(await slack.openModals('U0BOB')).toEqual([]);
    await slack.click(refusal, 'step:0', bob);
    expect(textOf(await slack.modal('U0BOB'))).toContain('VPS-10001 VPS-200*');
  });

  test('is offered the form, filled as far as it was, where it was refused before it opened', async () => {
    const { slack } = running;
    await slack.slash('snapshot create VPS-10003', bob);
    await slack.click(await slack.message('You lack the right', 'C0OPS', 'U0BOB'), 'step:0', bob);
    const asked = await slack.message('Asked one person for change on VPS-10003', 'C0OPS', 'U0BOB');
    expect(textOf(asked)).not.toContain('Post to Channel');
    const card = await slack.message('Somebody asks for a right', 'U0ALICE');
    await slack.click(card, 'request:grant', { channel: 'U0ALICE' });
    const granted = await slack.message('Granted: change on VPS-10003', 'U0BOB', 'U0BOB');
    expect(textOf(granted)).toContain('Take a snapshot…');
    await slack.click(granted, 'step:0', { user: 'U0BOB', channel: 'U0BOB' });
    expect(textOf(await slack.modal('U0BOB'))).toContain('VPS-10003');
  });

  test('asks whoever else administers', async () => {
    const { slack } = running;
    await slack.slash('access grant @carol administer');
    await slack.message('Granted: administer');
    await slack.slash('access ask change', bob);
    await slack.message('Asked 2 people for change on all VPS', 'C0OPS', 'U0BOB');
    const [card] = await slack.messages('U0CAROL', 'U0CAROL');
    if (!card) throw new Error('Carol was not asked');
    await slack.slash('access revoke @carol');
    await slack.message('Revoked');
    await slack.click(card, 'request:grant', { user: 'U0CAROL', channel: 'U0CAROL' });
    await slack.message('You lack the right to administer Rackhand', 'U0CAROL', 'U0CAROL');
    const hers = await slack.message('Somebody asks for a right', 'U0ALICE');
    await slack.click(hers, 'request:grant', { channel: 'U0ALICE' });
    await slack.message('Granted: change on all VPS', 'U0BOB', 'U0BOB');
  });
});

describe('who may look at some VPS', () => {
  beforeEach(async () => {
    await running.close();
    running = await startStack({ grants: [{ grantee: 'U0BOB', right: 'look', pattern: 'VPS-1000*' }] });
  });

  test('sees those in the list, in selects, and at home', async () => {
    const { slack } = running;
    await slack.slash('list', bob);
    const list = await slack.message('9 VPS', 'C0OPS', 'U0BOB');
    expect(textOf(list)).not.toContain('VPS-10010');
    await slack.slash('show', bob);
    const form = await slack.modal('U0BOB');
    const suggested = await slack.act('suggest', {
      user: 'U0BOB',
      view: form.id,
      action_id: 'remote',
      text: '',
    });
    expect(suggested.options).toHaveLength(9);
    await slack.act('home', { user: 'U0BOB' });
    const home = await expect
      .poll(() => slack.home('U0BOB'))
      .toContain('VPS-10009')
      .then(() => slack.home('U0BOB'));
    expect(home).not.toContain('VPS-10010');
  });

  test('is refused what concerns all of them', async () => {
    const { slack } = running;
    await slack.slash('webgate', bob);
    await slack.message('You lack the right to look, which is needed for all VPS here', 'C0OPS', 'U0BOB');
  });

  test('is not told the names of others', async () => {
    const { slack } = running;
    await slack.slash('show vps-1001', bob);
    await slack.message('You lack the right to look on VPS-1001.', 'C0OPS', 'U0BOB');
    await slack.slash('show VPS_10011', bob);
    const refusal = await slack.message('is not the name of a VPS', 'C0OPS', 'U0BOB');
    expect(textOf(refusal)).not.toContain('VPS-10011');
  });
});

describe('a right that is taken back meanwhile', () => {
  beforeEach(async () => {
    await running.close();
    running = await startStack({ hosting: { vpsCount: 60 }, grants: granted('destroy', 'U0BOB') });
  });

  async function takeBack(): Promise<void> {
    await running.slack.slash('access revoke @bob');
    await running.slack.message('Revoked');
  }

  const refused = () => running.slack.message('You lack the right', 'C0OPS', 'U0BOB');

  test('is missed at the click of a confirmation', async () => {
    const { slack, service } = running;
    await slack.slash('reboot VPS-10001', bob);
    const card = await slack.message('Reboot VPS-10001?', 'C0OPS', 'U0BOB');
    await takeBack();
    await slack.click(card, 'confirm', bob);
    await refused();
    expect(await service.changes()).toEqual([]);
  });

  test('is missed when the form is sent', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot create VPS-10001', bob);
    const form = await slack.modal('U0BOB');
    await takeBack();
    await slack.submit(form, { name: { value: { value: 'nightly' } } }, 'U0BOB');
    await refused();
    expect(await service.changes()).toEqual([]);
  });

  test('is missed by the buttons of an answer, and by its secrets', async () => {
    const { slack } = running;
    await slack.slash('list', bob);
    const list = await slack.message('60 VPS', 'C0OPS', 'U0BOB');
    await slack.slash('backup show VPS-10001', bob);
    const backup = await slack.message('Backup', 'C0OPS', 'U0BOB');
    await takeBack();
    await slack.click(list, 'page:next', bob);
    await slack.click(list, 'share', bob);
    await expect.poll(() => refusals('U0BOB', 'You lack the right')).toBe(2);
    await slack.click(backup, 'secret', bob);
    await viewSaying('You lack the right', 'U0BOB');
    expect((await slack.messages('C0OPS', 'U0CAROL')).filter(({ text }) => text === '60 VPS')).toEqual([]);
  });

  test('empties the selects', async () => {
    const { slack } = running;
    await slack.slash('reboot', bob);
    const form = await slack.modal('U0BOB');
    const suggest = { user: 'U0BOB', view: form.id, action_id: 'remote', text: 'VPS' };
    expect((await slack.act('suggest', suggest)).options).not.toEqual([]);
    await takeBack();
    expect((await slack.act('suggest', suggest)).options).toEqual([]);
  });
});

describe('who does not come in', () => {
  test.each([
    ['U0DAVE', 'Guests of this workspace cannot use Rackhand'],
    ['U0ERIN', 'Only people of this workspace can use Rackhand'],
  ])('%s learns why at every door', async (user, words) => {
    const { slack, service } = running;
    await slack.slash('help', { user });
    await expect.poll(() => refusals(user, words)).toBe(1);
    await slack.mention('help', { user });
    await expect.poll(() => refusals(user, words)).toBe(2);
    await slack.slash('show VPS-10001 --public');
    const answer = await slack.message(/^VPS-10001$/);
    const made = (await service.calls()).length;
    await slack.click(answer, 'step:0', { user });
    await expect.poll(() => refusals(user, words)).toBe(3);
    await slack.act('shortcut', { user, callback_id: 'run-operation' });
    expect(textOf(await slack.modal(user))).toContain(words);
    await slack.act('shortcut', { user, callback_id: 'use-vps', channel: 'C0OPS', ts: answer.ts });
    await viewSaying(words, user);
    await slack.act('home', { user });
    await expect.poll(() => slack.home(user)).toContain(words);
    expect((await service.calls()).length).toBe(made);
  });

  test('is on record', async () => {
    const { slack } = running;
    await slack.slash('help', { user: 'U0DAVE' });
    await expect.poll(() => refusals('U0DAVE', 'Guests')).toBe(1);
    await slack.slash('history');
    expect(textOf(await slack.message(/./))).toContain('not let in');
  });
});

test('a member without rights reads at home what to do', async () => {
  await running.close();
  running = await startStack({ grants: [] });
  const { slack, service } = running;
  await slack.act('home', bob);
  await expect.poll(() => slack.home('U0BOB')).toContain('You lack the right to look on any VPS');
  expect(await slack.home('U0BOB')).toContain('Ask for It');
  expect(await service.calls()).toEqual([]);
});
