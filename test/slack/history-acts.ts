import { eventually } from '../eventually.ts';
import type { RunningStack, SlackMessage } from '../stack.ts';

interface Person {
  readonly user: string;
  readonly channel: string;
}

export const alice: Person = { user: 'U0ALICE', channel: 'C0OPS' };
export const bob: Person = { user: 'U0BOB', channel: 'C0OPS' };

/** Types a command and waits for the answer that says so. */
export async function ask(
  { slack }: Pick<RunningStack, 'slack'>,
  text: string,
  answer: RegExp,
  { user, channel }: Person = alice,
): Promise<SlackMessage> {
  const before = new Set((await slack.messages(channel, user)).map(({ ts }) => ts));
  await slack.slash(text, { user, channel });
  return eventually(async () => {
    const now = await slack.messages(channel, user);
    const found = now.find((message) => !before.has(message.ts) && answer.test(message.text));
    if (!found) throw new Error(`${text} is not answered by ${answer}: ${now.at(-1)?.text}`);
    return found;
  });
}

/** Gives the cells of the table of a message, row by row, times as they fall back. */
export function tableOf({ blocks }: SlackMessage): string[][] {
  const rows = blocks.find(({ type }) => type === 'table')?.rows;
  if (!Array.isArray(rows)) return [];
  return rows
    .slice(1)
    .map((row: unknown[]) =>
      row.map((cell) => /"(?:text|fallback)":"([^"]*)"/.exec(JSON.stringify(cell))?.[1] ?? ''),
    );
}

/** Gives who did what, and how it ended, newest first. */
export function linesOf(message: SlackMessage): string[] {
  return tableOf(message).map((cells) => cells.slice(0, 3).join(' | '));
}

/** Gives the labels of the buttons of a message. */
export function buttonsOf({ blocks }: SlackMessage): string[] {
  return blocks.flatMap(({ elements = [] }) =>
    elements.flatMap((element) => /"text":"([^"]*)"/.exec(JSON.stringify(element.text ?? ''))?.[1] ?? []),
  );
}
