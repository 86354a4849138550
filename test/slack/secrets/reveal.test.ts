import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksText } from '../../stack.ts';
import { findSecrets } from '../operations/run-case.ts';
import { type StackFixture, startStackFixture } from '../stack-fixture.ts';

/** Shows the backup space of a VPS to a person. Returns a function that presses Show Once. */
async function readBackupSpace({ slack }: StackFixture, user: string): Promise<() => Promise<string>> {
  const listButtons = async () =>
    (await slack.messages('C0OPS', user)).flatMap((message) =>
      message.blocks
        .flatMap(({ elements = [] }) => elements)
        .flatMap(({ action_id, value = '' }) => (action_id === 'secret' ? [{ message, value }] : [])),
    );
  const before = new Set((await listButtons()).map(({ value }) => value));
  await slack.slash('backup show VPS-10001', { user });
  const { message, value } = await slack.untilSeen(async () => {
    const found = (await listButtons()).find((button) => !before.has(button.value));
    if (!found) throw new Error('there is no new Show Once button');
    return found;
  });
  /** Returns the modal's text. */
  return async () => {
    await slack.click(message, 'secret', { user, value });
    const modal = await slack.untilSeen(async () => {
      const top = await slack.modal(user);
      if (JSON.stringify(top.blocks).includes('One moment')) throw new Error('the modal is still empty');
      return top;
    });
    await slack.act('close', { user, view: modal.id });
    return JSON.stringify(modal.blocks);
  };
}

const bob = { user: 'U0BOB' };

let stage: StackFixture;
beforeAll(async () => {
  stage = await startStackFixture();
});
afterAll(() => stage.close());

const revealAsBob = async () => (await readBackupSpace(stage, 'U0BOB'))();

/** Shows the backup space to Bob, then takes the right from him, then presses Show Once. */
async function revealTooLate(revocation: string): Promise<string> {
  const showOnce = await readBackupSpace(stage, 'U0BOB');
  await asAdmin(revocation, 'Revoked');
  return showOnce();
}

async function asAdmin(command: string, answer: string): Promise<void> {
  await stage.slack.slash(command);
  await stage.slack.message(answer);
}

async function readPassword(): Promise<string> {
  const data = await stage.service.call('GET', '/v1/vps/VPS-10001/backup-ftp');
  const [password] = findSecrets(data);
  if (password === undefined) throw new Error(`no password in ${JSON.stringify(data)}`);
  return password;
}

test('a secret is revealed only to people with the right, and each attempt is in the activity log', async () => {
  const { slack } = stage;
  const password = await readPassword();
  await asAdmin('access grant @U0BOB operate', 'Granted: operate on all VPS');
  const revealed = await revealAsBob();
  expect(revealed).toContain(password);
  expect(revealed).toContain('To see it again, run the same command again.');

  const denied = await revealTooLate('access revoke @U0BOB --reveal');
  expect(denied).not.toContain(password);
  expect(denied).toContain("You don't have permission to reveal secrets of web-01 (VPS-10001).");
  expect(denied).toContain('Request Access');
  await stage.slack.slash('access', bob);
  await stage.slack.message(/operate, without reveal|Your access/, 'C0OPS', 'U0BOB');

  await asAdmin('access grant @U0BOB destroy', 'Granted: destroy on all VPS');
  await slack.slash('backup show VPS-10001', bob);
  const hidden = await slack.message('Backup space of', 'C0OPS', 'U0BOB');
  expect(blocksText(hidden), 'a higher right does not return what was revoked').not.toContain('Show Once');

  await asAdmin('access grant @U0BOB reveal VPS-10001', 'Granted: reveal on web-01 (VPS-10001)');
  expect(await revealAsBob()).toContain(password);

  const entries = JSON.parse(stage.rows()) as { operation?: string; status?: string; outcome?: string }[];
  const reveals = entries.filter(({ operation }) => operation === 'reveal');
  expect(reveals.map(({ status }) => status)).toEqual(['done', 'refused', 'done']);
  expect(reveals.at(-1)?.outcome).toContain('Revealed of backup show');
  expect(stage.rows()).not.toContain(password);
});

test('a rule makes a second person approve a reveal', async () => {
  const { slack } = stage;
  const password = await readPassword();
  await asAdmin('access grant @U0BOB reveal', 'Granted: reveal on all VPS');
  await asAdmin('access grant @U0CAROL admin', 'Granted: admin');
  await asAdmin('approval require reveal', 'Approval is now required for seeing a secret');

  const showOnce = await readBackupSpace(stage, 'U0BOB');
  expect(await showOnce()).toContain('needs approval by a second person');
  expect(await showOnce(), 'nobody is asked twice').toContain('needs approval by a second person');
  const cards = await slack.messages('U0CAROL', 'U0CAROL');
  expect(cards.filter(({ text }) => /^Show .*: approval needed/.test(text))).toHaveLength(1);
  const card = await slack.earlierMessage(/^Show .*: approval needed/, 'U0CAROL', 'U0CAROL');
  await slack.click(card, 'Approve', { user: 'U0CAROL', channel: 'U0CAROL' });
  await slack.message(/^Show .*: decided/, 'U0BOB', 'U0BOB');
  expect(await showOnce()).toContain(password);
});
