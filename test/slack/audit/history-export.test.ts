import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../eventually.ts';
import { useStack } from '../../use-stack.ts';
import { bob, runCommand } from '../command-driver.ts';

const running = useStack();

const shared = z.object({
  files: z.array(z.object({ id: z.string(), name: z.string(), title: z.string() })),
});

/** Waits for the file in a person's direct messages with the app, and downloads it as they would. */
async function downloadFile(user: string) {
  const file = await eventually(async () => {
    const messages = await running.slack.messages(user, user);
    const [found] = messages.flatMap((message) => shared.safeParse(message).data?.files ?? []);
    if (!found) throw new Error('there is no file yet');
    return found;
  });
  const response = await fetch(`${running.slack.url}/files/${file.id}`, {
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  return { ...file, text: await response.text() };
}

describe('history --export', () => {
  test("csv sends a file with the matching runs to the admin's direct messages", async () => {
    await runCommand(running, 'show VPS-10001', /VPS-10001/);
    await runCommand(running, 'show VPS-10002', /VPS-10002/, bob);
    const answer = await runCommand(running, 'history VPS-10002 --export csv', /exported/);
    expect(answer.ephemeral).toBe(true);
    const { name, title, text } = await downloadFile('U0ALICE');
    expect(name).toMatch(/^activity-log-\d{4}-\d\d-\d\d\.csv$/);
    expect(title).toBe('Activity log, 1 run');
    const [head, line, ...others] = text.split('\r\n');
    expect(head).toMatch(/^id,requested_at,who,who_name,what,target,input,/);
    expect(line).toMatch(/,U0BOB,bob,show,VPS-10002,"{""vps"":""VPS-10002""}",C0OPS,,done,/);
    expect(others).toEqual(['']);
    expect(await running.slack.messages('C0OPS', 'U0BOB')).not.toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('exported') }),
    );
  });
});
