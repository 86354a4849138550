import { z } from 'zod';
import type { Argument } from '../operations/define/arguments/argument.ts';
import type { Choice, ChoiceSource } from '../operations/define/arguments/choice-source.ts';
import { optionalArgument } from '../operations/define/arguments/optional-argument.ts';
import type { Value } from '../operations/define/outcome.ts';
import { everyone, toGranteeKind } from './grants/grantee.ts';
import { isMember, type MemberDirectory } from './member-directory.ts';

/** The people and user groups that messages can ping. */
export interface Recipients {
  /** The choices that forms offer: people and user groups. */
  readonly choices: ChoiceSource;
  /** The choices that forms offer for grants: people, user groups and `everyone`. */
  readonly granteeChoices: ChoiceSource;
  readonly groupChoices: ChoiceSource;
  /**
   * Returns why a ping would reach nobody, as the end of a sentence. Returns undefined if the ping would
   * reach someone or if the lookup in Slack fails.
   */
  findProblem(teamId: string, id: string): Promise<string | undefined>;
  /** Returns the person, or the members of the group. Returns an empty list if the lookup in Slack fails. */
  listPeople(teamId: string, id: string): Promise<readonly string[]>;
  /** Returns the name of a person or user group, with `@`. */
  findName(teamId: string, id: string): Promise<string>;
}

const slackId = /^[USW][A-Z0-9]{2,}$/;

export function createRecipients(
  directory: Pick<
    MemberDirectory,
    'findMemberType' | 'listGroupMembers' | 'listMembers' | 'listUserGroups' | 'findDisplayName'
  >,
): Recipients {
  async function findGroupProblem(teamId: string, id: string): Promise<string | undefined> {
    const members = await directory.listGroupMembers(teamId, id);
    if (members.kind === 'unknown') return undefined;
    if (members.kind === 'notFound') return "this user group doesn't exist in Slack anymore";
    return members.value.size === 0 ? 'this user group has no members' : undefined;
  }

  async function findPersonProblem(teamId: string, userId: string): Promise<string | undefined> {
    const memberType = await directory.findMemberType({ teamId, userId });
    if (isMember(memberType) || memberType === 'unknown') return undefined;
    const name = await directory.findDisplayName(teamId, userId);
    if (memberType === 'deleted') return `@${name} has left this workspace`;
    return memberType === 'bot' ? `@${name} is an app` : `@${name} isn't a member of this workspace`;
  }

  async function listGroupChoices(teamId: string): Promise<readonly Choice[]> {
    const groups = await directory.listUserGroups(teamId);
    return (groups.kind === 'found' ? groups.value : []).map(({ id, handle, name }) => ({
      value: id,
      text: `@${handle}`,
      hint: name,
      aliases: [handle],
    }));
  }

  async function listPersonChoices(teamId: string): Promise<readonly Choice[]> {
    const members = await directory.listMembers(teamId);
    return (members.kind === 'found' ? members.value : []).map(({ id, name }) => ({
      value: id,
      text: `@${name}`,
      aliases: [name],
    }));
  }

  function createSource(
    texts: Pick<ChoiceSource, 'name' | 'noun'>,
    ...lists: readonly ((teamId: string) => Promise<readonly Choice[]>)[]
  ): ChoiceSource {
    return {
      ...texts,
      isOwnData: true,
      hasOpaqueIds: true,
      formatNotFound: unknownRecipient,
      async load(_read, _given, _maxAgeMs, workspace) {
        const choices = await Promise.all(lists.map((list) => list(workspace?.teamId ?? '')));
        // The list counts as incomplete, because `findProblem` checks names that aren't in it.
        return { choices: choices.flat(), isComplete: false };
      },
    };
  }

  return {
    choices: createSource(
      { name: 'recipients', noun: 'a person or user group' },
      listGroupChoices,
      listPersonChoices,
    ),
    granteeChoices: createSource(
      { name: 'people and groups', noun: 'a person, a group, or everyone' },
      async () => [{ value: everyone, text: 'Every member of this workspace', aliases: ['everyone'] }],
      listGroupChoices,
      listPersonChoices,
    ),
    groupChoices: createSource({ name: 'user groups', noun: 'a user group' }, listGroupChoices),
    async findProblem(teamId, id) {
      if (!slackId.test(id)) return unknownRecipient(id);
      return toGranteeKind(id) === 'group' ? findGroupProblem(teamId, id) : findPersonProblem(teamId, id);
    },
    async listPeople(teamId, id) {
      if (toGranteeKind(id) !== 'group') return [id];
      const members = await directory.listGroupMembers(teamId, id);
      return members.kind === 'found' ? [...members.value] : [];
    },
    async findName(teamId, id) {
      if (toGranteeKind(id) !== 'group') return `@${await directory.findDisplayName(teamId, id)}`;
      const groups = await directory.listUserGroups(teamId);
      const group = groups.kind === 'found' ? groups.value.find((one) => one.id === id) : undefined;
      return group ? `@${group.handle}` : 'the user group';
    },
  };
}

function unknownRecipient(name: string): string {
  return `Slack doesn't know "${name}": choose a person or user group from its suggestions after @`;
}

/** Creates an optional argument for a person or user group. The value is the Slack ID. */
export function recipientArgument(
  texts: Pick<Argument, 'label' | 'example'> & Partial<Pick<Argument, 'flag' | 'hint' | 'valueName'>>,
  source: ChoiceSource,
): Argument<string | undefined> {
  return optionalArgument({ ...texts, control: { kind: 'remote', source } }, recipientSchema);
}

const maxRecipientChars = 100;

/** Accepts `@U0BOB` (a decoded mention), `S0ONCALL` (a decoded user group), or a name. */
export const recipientSchema = z
  .string()
  .trim()
  .max(maxRecipientChars, { error: `Use at most ${maxRecipientChars} characters` })
  .transform((typed) => typed.replace(/^@/, ''));

/** Returns a value that shows the recipient by name. */
export function toRecipientValue(id: string): Value {
  return toGranteeKind(id) === 'group'
    ? { kind: 'userGroup', userGroup: id }
    : { kind: 'person', person: id };
}
