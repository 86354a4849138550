import type { RunningStack, SlackMessage } from '../stack.ts';

interface Person {
  readonly user: string;
  readonly channel: string;
}

export const alice: Person = { user: 'U0ALICE', channel: 'C0OPS' };
export const bob: Person = { user: 'U0BOB', channel: 'C0OPS' };

/** Runs a command and waits for a matching reply, which was posted or edited since. */
export async function runCommand(
  { slack }: Pick<RunningStack, 'slack'>,
  text: string,
  expected: RegExp,
  { user, channel }: Person = alice,
): Promise<SlackMessage> {
  await slack.slash(text, { user, channel });
  return slack.message(expected, channel, user);
}

/** Returns the cells of a message's table, row by row. Times are returned as their fallback text. */
export function readTable({ blocks }: SlackMessage): string[][] {
  const rows = blocks.find(({ type }) => type === 'table' || type === 'data_table')?.rows;
  if (!Array.isArray(rows)) return [];
  return rows
    .slice(1)
    .map((row: unknown[]) =>
      row.map((cell) => /"(?:text|fallback)":"([^"]*)"/.exec(JSON.stringify(cell))?.[1] ?? ''),
    );
}

/** Returns who did what and how it ended, newest first. */
export function readAuditRows(message: SlackMessage): string[] {
  return readTable(message).map((cells) => cells.slice(0, 3).join(' | '));
}

/** Returns the labels of a message's buttons, and of the options in its menus. */
export function readButtonLabels({ blocks }: SlackMessage): string[] {
  return blocks.flatMap(({ elements = [] }) =>
    elements.flatMap(({ type, text, options }) =>
      Array.from(
        JSON.stringify(type === 'overflow' ? options : (text ?? '')).matchAll(/"text":"([^"]*)"/g),
        ([, label = '']) => label,
      ),
    ),
  );
}
