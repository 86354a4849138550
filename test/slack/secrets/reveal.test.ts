import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSecrets } from '../operations/expect-secret.ts';
import { type StackFixture, startStackFixture } from '../stack-fixture.ts';

const bob = { user: 'U0BOB' };
const showBackup = 'backup show VPS-10001';

let stage: StackFixture;
beforeAll(async () => {
  stage = await startStackFixture();
});
afterAll(() => stage.close());

/** Lets Bob read the backup space, and presses Show Once. Returns the modal's text. */
async function revealAsBob(): Promise<string> {
  const { slack } = stage;
  await slack.slash(showBackup, bob);
  const reply = await slack.message('Backup space of', 'C0OPS', 'U0BOB');
  const button = reply.blocks
    .flatMap(({ elements = [] }) => elements)
    .find(({ action_id }) => action_id === 'secret');
  await slack.click(reply, 'secret', { ...bob, value: button?.value ?? '' });
  const modal = await slack.untilSeen(async () => {
    const top = await slack.modal('U0BOB');
    if (JSON.stringify(top.blocks).includes('One moment')) throw new Error('the modal is still empty');
    return top;
  });
  await slack.act('close', { user: 'U0BOB', view: modal.id });
  return JSON.stringify(modal.blocks);
}

async function asAdmin(command: string, answer: string): Promise<void> {
  await stage.slack.slash(command);
  await stage.slack.message(answer);
}

async function readPassword(): Promise<string> {
  const data = await stage.api('GET', '/v1/vps/VPS-10001/backup-ftp');
  const [password] = findSecrets(data);
  if (password === undefined) throw new Error(`no password in ${JSON.stringify(data)}`);
  return password;
}

test('a secret is revealed only to people with the right, and each attempt is in the activity log', async () => {
  const password = await readPassword();
  const denied = await revealAsBob();
  expect(denied).not.toContain(password);
  expect(denied).toContain("You don't have permission to reveal secrets of VPS-10001.");

  await asAdmin('access grant @U0BOB operate', 'Granted: operate on all VPS');
  expect(await revealAsBob()).toContain(password);

  await asAdmin('access revoke @U0BOB --reveal', 'Revoked');
  expect(await revealAsBob()).not.toContain(password);
  await stage.slack.slash('access', bob);
  await stage.slack.message(/operate, without reveal|Your access/, 'C0OPS', 'U0BOB');

  await asAdmin('access grant @U0BOB destroy', 'Granted: destroy on all VPS');
  expect(await revealAsBob(), 'a higher right does not return what was revoked').not.toContain(password);

  await asAdmin('access grant @U0BOB reveal VPS-10001', 'Granted: reveal on VPS-10001');
  expect(await revealAsBob()).toContain(password);

  const entries = JSON.parse(stage.rows()) as { operation?: string; status?: string; outcome?: string }[];
  const reveals = entries.filter(({ operation }) => operation === 'reveal');
  expect(reveals.map(({ status }) => status)).toEqual(['refused', 'done', 'refused', 'refused', 'done']);
  expect(reveals.at(-1)?.outcome).toContain('Revealed of backup show');
  expect(stage.rows()).not.toContain(password);
});
