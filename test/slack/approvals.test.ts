import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { granted, type RunningStack, type SlackMessage, startStack, textOf } from '../stack.ts';

let running: RunningStack;

beforeEach(async () => {
  running = await startStack({ grants: granted('destroy', 'U0BOB', 'U0CAROL') });
});
afterEach(() => running.close());

/** Alice demands a second person, told in #ops. */
async function demand(what = 'disturb', more = ''): Promise<void> {
  await running.slack.slash(`approval require ${what} ${more} --channel #C0GENERAL`);
  await running.slack.message('From now on a second person approves');
}

/** Asks for a reboot, confirms it, and gives the card that asks a second person. */
async function ask(vps = 'VPS-10001', user = 'U0ALICE'): Promise<SlackMessage> {
  await running.slack.slash(`reboot ${vps}`, { user });
  const confirmation = await running.slack.message(`Reboot ${vps}?`, 'C0OPS', user);
  await running.slack.click(confirmation, 'confirm', { user });
  return running.slack.message(`Reboot ${vps}: a second person is asked`, 'C0GENERAL', user);
}

const press = (card: SlackMessage, action: string, user: string) =>
  running.slack.click(card, action, { user, channel: 'C0GENERAL' });

describe('a run that needs a second person', () => {
  test('waits for them, runs once, and names both', async () => {
    await demand();
    const card = await ask();
    expect(textOf(card)).toContain('@alice asks for this in <#C0OPS>');
    expect(textOf(card)).toContain('running');
    await running.slack.message('Reboot VPS-10001: ⏸️ Waiting for a second person');
    expect(await running.service.changes()).toEqual([]);

    await Promise.all([press(card, 'approve', 'U0BOB'), press(card, 'approve', 'U0CAROL')]);

    const done = await running.slack.message('Reboot VPS-10001: 🔄 Under way');
    expect(textOf(done)).toMatch(/asked by @alice · approved by @(bob|carol)/);
    expect(await running.service.changes()).toHaveLength(1);
    await running.slack.message('Reboot VPS-10001: decided', 'C0GENERAL');
  });

  test('calls its asker once, in the thread of its message, when others have decided', async () => {
    const { slack } = running;
    const callsIn = async (channel: string) =>
      (await slack.messages(channel)).filter(({ pings }) => pings.includes('U0ALICE'));
    await demand();
    const card = await ask();
    const { ts } = await slack.message('Reboot VPS-10001: ⏸️ Waiting for a second person');
    expect([...(await callsIn('C0OPS')), ...(await callsIn('C0GENERAL'))]).toEqual([]);
    await press(card, 'approve', 'U0BOB');
    const word = { text: 'Reboot VPS-10001: approved by @bob · 🔄 Under way', thread_ts: ts };
    await expect.poll(() => callsIn('C0OPS'), { timeout: 10_000 }).toMatchObject([word]);
    await slack.message('Reboot VPS-10001: ✅ Done');
    expect(await callsIn('C0OPS')).toMatchObject([word]);
  });

  test('that was asked where the app is no member calls its asker in their direct messages', async () => {
    const { slack } = running;
    await demand();
    await slack.slash('reboot VPS-10001', { channel: 'C0QUIET' });
    const confirmation = await slack.message('Reboot VPS-10001?', 'C0QUIET');
    await slack.click(confirmation, 'confirm', { channel: 'C0QUIET' });
    await slack.message('It is in your direct messages with me', 'C0QUIET');
    const card = await slack.message('a second person is asked', 'C0GENERAL');
    await press(card, 'decline', 'U0BOB');
    const word = await slack.message('Reboot VPS-10001: declined by @bob', 'U0ALICE');
    expect(word).toMatchObject({ pings: ['U0ALICE'] });
    expect(word.thread_ts).toBeUndefined();
  });

  test('is not approved by whoever asked for it', async () => {
    await demand();
    const card = await ask();
    await press(card, 'approve', 'U0ALICE');
    await running.slack.message('you asked for it yourself', 'C0GENERAL');
    expect(await running.service.changes()).toEqual([]);
  });

  test('can be declined, and whoever asked learns by whom', async () => {
    await demand();
    const card = await ask();
    await press(card, 'decline', 'U0BOB');
    const refused = await running.slack.message('Reboot VPS-10001: 🚫 Refused');
    expect(textOf(refused)).toContain('Refused by @bob · asked by @alice');
    expect(refused.pings).toEqual([]);
    const word = await running.slack.message('Reboot VPS-10001: declined by @bob · 🚫 Refused');
    expect(word).toMatchObject({ pings: ['U0ALICE'], thread_ts: refused.ts });
    const decided = await running.slack.message('Reboot VPS-10001: decided', 'C0GENERAL');
    expect(textOf(decided)).toContain('Declined by @bob: it was not run. Asked for by @alice.');
    expect(decided.pings).toEqual([]);
    await press(card, 'approve', 'U0CAROL').catch(() => undefined);
    expect(await running.service.changes()).toEqual([]);
  });

  test('may name no VPS, where the rule means all of them', async () => {
    await demand('change');
    await running.slack.slash('port close 45020');
    await running.slack.click(await running.slack.message(/45020.*\?/), 'confirm');
    await running.slack.message('a second person is asked', 'C0GENERAL');
    expect(await running.service.changes()).toEqual([]);
  });

  test('is known by another way to ask for it', async () => {
    await demand('reboot');
    await running.slack.slash('action VPS-10001 reboot');
    await running.slack.click(await running.slack.message('Send reboot to VPS-10001?'), 'confirm');
    await running.slack.message('Send reboot to VPS-10001: a second person is asked', 'C0GENERAL');
    expect(await running.service.changes()).toEqual([]);
  });

  test('may do harm that nobody knows, where the rule means what may lose something', async () => {
    await demand('destroy');
    await running.slack.slash('action VPS-10001 wipe');
    await running.slack.click(await running.slack.message('Send wipe to VPS-10001?'), 'confirm');
    await running.slack.message('Send wipe to VPS-10001: a second person is asked', 'C0GENERAL');
    await running.slack.slash('action VPS-10002 start');
    await running.slack.message(/Send start to VPS-10002: (✅|🔄|❌)/);
    expect(JSON.stringify(await running.service.changes())).not.toContain('wipe');
  });

  test('can be taken back by whoever asked', async () => {
    await demand();
    await press(await ask(), 'decline', 'U0ALICE');
    expect(textOf(await running.slack.message('Reboot VPS-10001: 🚫 Refused'))).toContain('took it back');
    const seen = await running.slack.messages();
    expect(seen.filter(({ pings }) => pings.length > 0)).toEqual([]);
  });

  test('is asked anew where the target has changed meanwhile', async () => {
    await demand();
    const card = await ask();
    await running.service.act('VPS-10001', 'stop');
    await press(card, 'approve', 'U0BOB');
    await expect
      .poll(async () => textOf(await running.slack.message('a second person is asked', 'C0GENERAL')))
      .toContain('The target has changed since you were asked');
    expect(
      (await running.service.changes()).filter(({ body }) => JSON.stringify(body).includes('reboot')),
    ).toEqual([]);
    const anew = await running.slack.message('a second person is asked', 'C0GENERAL');
    await press(anew, 'approve', 'U0BOB');
    await running.slack.message(/Reboot VPS-10001: (✅|🔄|❌)/);
  });

  test('is one that the rule means, and no other', async () => {
    await demand('disturb', '--vps vps-1000*');
    await running.slack.slash('reboot VPS-10010');
    await running.slack.click(await running.slack.message('Reboot VPS-10010?'), 'confirm');
    await running.slack.message('Reboot VPS-10010: 🔄 Under way');
    await ask('VPS-10001');
  });
});

describe('the rules', () => {
  test('are listed, and dropped by a button', async () => {
    await demand('destroy');
    await running.slack.slash('approval list');
    const list = await running.slack.message('One rule');
    expect(textOf(list)).toContain('whatever may lose something');
    await running.slack.click(list, 'step:0');
    await running.slack.message('The rule is dropped');
    await running.slack.slash('approval list');
    await running.slack.message('Nothing needs a second person');
  });

  test('are dropped by what they are about, where only one fits', async () => {
    const { slack } = running;
    await demand('reboot', '--vps VPS-10001');
    await slack.slash('approval drop juggle');
    await slack.message('There is no rule "juggle" here');
    await demand('reboot', '--vps VPS-10002');
    await slack.slash('approval drop reboot');
    await slack.message(/2 rules are about "reboot": give the ID of one, \w+ \(VPS VPS-10001\) or \w+/);
    const rules = JSON.stringify((await slack.message('on VPS-10002')).blocks);
    const [, id] = /"Drop Rule (\w+)"/.exec(rules) ?? [];
    await slack.slash(`approval drop ${id?.toUpperCase()}`);
    await slack.message('The rule is dropped: reboot on VPS-10001');
    await demand('snapshot create');
    await slack.slash('approval drop snapshot create');
    await slack.message('The rule is dropped: snapshot create');
    await slack.slash('approval drop Reboot');
    await slack.message('The rule is dropped: reboot on VPS-10002');
  });

  test('name what there is', async () => {
    await running.slack.slash('approval require juggle');
    await running.slack.message('"juggle" is no operation that changes something.');
    await running.slack.slash('approval require destroy --vps 1000*');
    await running.slack.message('A VPS name begins with VPS-, and so does a pattern: VPS-100*');
  });
});
