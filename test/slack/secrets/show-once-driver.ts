import type { StackFixture } from '../stack-fixture.ts';

/** Shows the backup space of a VPS to a person. Returns a function that presses Show Once. */
export async function readBackupSpace({ slack }: StackFixture, user: string): Promise<() => Promise<string>> {
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
