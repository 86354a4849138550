import { beforeAll, describe, expect, test } from 'vitest';
import { loadFullCatalogue } from '../../scripts/load-full-catalogue.ts';
import { createAuthorizer } from '../../src/auth/authorizer.ts';
import { createGrantStore, type GrantStore } from '../../src/auth/grants/grant-store.ts';
import type { MemberType } from '../../src/auth/member-directory.ts';
import { createMemberGuard } from '../../src/auth/member-guard.ts';
import { type Right, rights } from '../../src/operations/define/access/right.ts';
import { parseInput } from '../../src/operations/define/arguments/input.ts';
import type { RawInput } from '../../src/operations/define/arguments/raw-input.ts';
import type { Catalogue, Operation } from '../../src/operations/define/operation.ts';
import { parseCommand } from '../../src/operations/grammar/parse-command.ts';
import { findDenial } from '../../src/runs/pipeline/authorize.ts';
import { startSqlite, useTestDatabase } from '../db/test-database.ts';
import { type CommandGroup, commandGroups, everyCommand } from '../slack/operations/every-command.ts';
import { createMemberDirectory } from './member-directory-fixture.ts';

const teamId = 'T1';
const nonMembers: readonly MemberType[] = ['guest', 'deleted', 'bot', 'external', 'unknown'];

const toGroupId = (right: Right) => `S0${right.toUpperCase()}`;

const directory = createMemberDirectory({
  admins: ['U0OWNER'],
  memberTypes: Object.fromEntries(nonMembers.map((memberType) => [`U0${memberType}`, memberType])),
  groups: Object.fromEntries(rights.map((right) => [toGroupId(right), ['U0GROUP']])),
});
const guard = createMemberGuard(directory);

const database = useTestDatabase(startSqlite);
let catalogue: Catalogue;
let grants: GrantStore;
beforeAll(async () => {
  catalogue = await loadFullCatalogue();
  grants = createGrantStore(database.db);
});

/** Parses a command of an operation, which can be incomplete. */
function parseOperation(command: string): { readonly operation: Operation; readonly raw: RawInput } {
  const parsed = parseCommand(command, catalogue);
  if (!('operation' in parsed) || !parsed.operation) throw new Error(`${command} is no command`);
  return { operation: parsed.operation, raw: parsed.raw ?? {} };
}

/** Lists the commands that a person can run in a channel, as the pipeline decides it. */
async function listAllowed(userId: string, channel = 'C1'): Promise<readonly string[]> {
  const actor = { teamId, userId };
  const { resolveAccess } = createAuthorizer({ store: grants, directory });
  const decided = everyCommand.map(async (command) => {
    const { operation, raw } = parseOperation(command);
    const subject = { actor, origin: { channel } };
    const denial = await findDenial(resolveAccess, subject, operation, parseInput(operation, raw));
    return denial ? [] : [command];
  });
  return (await Promise.all(decided)).flat();
}

const listCommands = (isIncluded: (group: CommandGroup) => boolean) =>
  commandGroups.filter(isIncluded).flatMap(({ commands }) => commands);

const includes = (held: Right, needed: Right | null) =>
  needed === null || rights.indexOf(held) >= rights.indexOf(needed);

test('each operation of the app has a command', () => {
  const names = catalogue.groups.flatMap(({ operations }) => operations.map(({ name }) => name));
  const typed = new Set(everyCommand.map((text) => parseOperation(text).operation.name));
  expect(names.filter((name) => !typed.has(name))).toEqual([]);
});

test('a field is required in forms if its operation refuses an empty one', () => {
  const operations = catalogue.groups.flatMap((group) => group.operations);
  const differing = operations.flatMap((operation) =>
    Object.entries(operation.arguments)
      .filter(([, { schema, required }]) => required === schema.safeParse(undefined).success)
      // Other values of the form decide whether these fields are shown.
      .filter(([, { shownWhen }]) => shownWhen === undefined)
      .map(([name]) => `${operation.name}: ${name}`),
  );
  // A channel that is left out is parsed as an empty text, and refused by the operation itself.
  expect(differing).toEqual(['access channel: channel']);
});

describe('of all commands of the app', () => {
  const everyMember = listCommands(({ right }) => right === null);

  const grant = (grantee: string, right: Right, pattern: string) =>
    grants.grant(
      { teamId, changedBy: 'U0OWNER', nowMs: 1 },
      { grantees: [grantee], right, patterns: [pattern] },
    );

  test.each(rights)('a right to %s on all VPS allows those up to it', async (right) => {
    await grant('U0BOB', right, '*');
    await grant(toGroupId(right), right, '*');
    const allowed = listCommands((group) => includes(right, group.right));
    expect(await listAllowed('U0BOB')).toEqual(allowed);
    expect(await listAllowed('U0GROUP')).toEqual(allowed);
    expect(await listAllowed('U0CAROL')).toEqual(everyMember);
    await grant('everyone', right, '*');
    expect(await listAllowed('U0CAROL')).toEqual(allowed);
  });

  test.each(rights)('a right to %s on some VPS allows those that concern these VPS', async (right) => {
    await grant('U0BOB', right, 'VPS-1000*');
    const isAllowed = ({ right: needed, on }: CommandGroup) =>
      needed === null || (on !== 'all' && includes(right, needed));
    expect(await listAllowed('U0BOB')).toEqual(listCommands(isAllowed));
    await grant('U0CAROL', right, 'VPS-2*');
    const isNotNamed = ({ right: needed, on }: CommandGroup) =>
      needed === null || (on === 'any' && includes(right, needed));
    expect(await listAllowed('U0CAROL')).toEqual(listCommands(isNotNamed));
  });

  test.each(rights)('a channel limited to %s allows even an owner only those up to it', async (maxRight) => {
    expect(await listAllowed('U0OWNER')).toEqual(everyCommand);
    await grants.setChannelLimit({ teamId, changedBy: 'U0OWNER', nowMs: 1 }, { channel: 'C1', maxRight });
    expect(await listAllowed('U0OWNER')).toEqual(listCommands((group) => includes(maxRight, group.right)));
    expect(await listAllowed('U0OWNER', 'C2')).toEqual(everyCommand);
  });

  test.each(nonMembers)('someone who is %s is allowed none, whatever was granted', async (memberType) => {
    await grant(`U0${memberType}`, 'admin', '*');
    await grant('everyone', 'admin', '*');
    expect(await guard({ teamId, userId: `U0${memberType}` })).toMatchObject({
      code: memberType === 'unknown' ? 'member_unknown' : 'not_permitted',
    });
    // Operations that need no right are denied by the guard alone.
    expect(await listAllowed(`U0${memberType}`)).toEqual(everyMember);
  });

  test('a person who lacks the right is offered to request it', async () => {
    const { resolveAccess } = createAuthorizer({ store: grants, directory });
    const subject = { actor: { teamId, userId: 'U0CAROL' }, origin: { channel: 'C1' } };
    const offers = listCommands(({ right }) => right !== null).map(async (command) => {
      const { operation, raw } = parseOperation(command);
      const denial = await findDenial(resolveAccess, subject, operation, parseInput(operation, raw));
      return denial?.nextSteps?.some((step) => step.operation === 'access ask') ? [] : [command];
    });
    expect((await Promise.all(offers)).flat()).toEqual([]);
  });
});
