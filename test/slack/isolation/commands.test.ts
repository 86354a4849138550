import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Right } from '../../../src/operations/define/access/right.ts';
import { type RunningStack, startStack } from '../../stack.ts';
import { type CommandGroup, commandGroups, everyCommand } from '../operations/every-command.ts';
import { readReply } from '../operations/read-reply.ts';

// `test/auth/every-operation.test.ts` decides about every command for each right and each kind of
// person. Here, each command is typed by the people right below and right above the limit.

let running: RunningStack;
beforeAll(async () => {
  const outsiders = ['U0DAVE', 'U0ERIN'];
  const grants = outsiders.map((grantee) => ({ grantee, right: 'admin', pattern: '*' }) as const);
  running = await startStack({ hosting: { windowMs: 200, quota: 10_000 }, grants });
});
afterAll(() => running.close());

const listCommands = (...groups: readonly (readonly [Right | null, ...CommandGroup['on'][]])[]) =>
  groups.flatMap(([right, ...scopes]) =>
    commandGroups
      .filter((group) => group.right === right && scopes.includes(group.on))
      .flatMap(({ commands }) => commands),
  );

const isDenial = (text: string) =>
  /You don't have permission|(?:Guests|Deactivated accounts) can't|Only members of this workspace can/.test(
    text,
  );

/** Returns the commands that a person is denied. */
async function listDenied(user: string, commands: readonly string[]): Promise<readonly string[]> {
  const denied: string[] = [];
  for (const command of commands)
    if (isDenial(await readReply(running, command, { user }))) denied.push(command);
  return denied;
}

describe('of all commands of the app', () => {
  const levels = [
    { grant: undefined, opens: listCommands([null, 'any']), next: listCommands(['view', 'any']) },
    {
      grant: 'view VPS-1000*',
      opens: listCommands(['view', 'any', 'VPS-10001']),
      next: listCommands(['view', 'all']),
    },
    { grant: 'view', opens: listCommands(['view', 'all']), next: [] },
    { grant: 'reveal', opens: [], next: listCommands(['operate', 'any', 'VPS-10001', 'all']) },
    {
      grant: 'operate',
      opens: listCommands(['operate', 'any', 'VPS-10001', 'all']),
      next: listCommands(['destroy', 'VPS-10001', 'all']),
    },
    {
      grant: 'destroy',
      opens: listCommands(['destroy', 'VPS-10001', 'all']),
      next: listCommands(['admin', 'all']),
    },
    { grant: 'admin', opens: listCommands(['admin', 'all']), next: [] },
  ];

  test('a member gets those of their right, and is denied those of the next one', {
    timeout: 120_000,
  }, async () => {
    for (const { grant, opens, next } of levels) {
      if (grant !== undefined) {
        await running.slack.slash(`access grant @bob ${grant}`);
        await running.slack.message(/^Granted: /);
      }
      const denied = await listDenied('U0BOB', [...next, ...opens]);
      expect({ grant, denied }).toEqual({ grant, denied: next });
    }
  });

  test('guests, people of other organizations and deactivated members get none, whatever was granted', {
    timeout: 120_000,
  }, async () => {
    const { slack } = running;
    const { id } = await slack.act('person', { name: 'frank', role: 'deactivated' });
    await slack.act('slash', { user: 'U0ALICE', channel: 'C0OPS', command: '/invite', text: '@frank' });
    const outsiders = ['U0DAVE', 'U0ERIN', String(id)];
    const forEveryMember = listCommands([null, 'any']);
    for (const [turn, user] of outsiders.entries()) {
      const commands = everyCommand.filter(
        (command, index) => index % outsiders.length === turn || forEveryMember.includes(command),
      );
      expect(await listDenied(user, commands)).toEqual(commands);
    }
  });
});
