import { RackhandError } from '../../error.ts';
import { channelArgument } from '../../operations/argument.ts';
import { defineOwn, type Operation } from '../../operations/operation.ts';
import type { Fact } from '../../operations/outcome.ts';
import { granteesArgument, patternsArgument, rightArgument } from './arguments.ts';
import { describeAccess, describeOwn, granteeValue } from './describe.ts';
import type { Directory } from './directory.ts';
import { checkGrant } from './grant-check.ts';
import { everything, scopeWords } from './pattern.ts';
import { wordsOf } from './patterns.ts';
import type { Rights } from './rights.ts';
import type { RightsStore } from './rights-store.ts';

export interface RightsOperationParts {
  readonly store: RightsStore;
  readonly rights: Rights;
  readonly directory: Directory;
  readonly now?: () => number;
}

/** The button that shows who may do what. */
const showStep = { label: 'Show Access', operation: 'access', input: {} };

/** Declares the operations on the rights of a workspace. */
export function createRightsOperations(parts: RightsOperationParts): readonly Operation[] {
  const { store, rights, directory, now = Date.now } = parts;

  const show = defineOwn({
    name: 'access',
    heading: 'Access',
    summary: 'Show who may do what, and change it',
    arguments: {},
    button: 'Show',
    right: null,
    async run({ asker, origin: { channel }, reach }) {
      const { teamId } = asker;
      const mayChangeIt = (await reach())({ right: 'administer', vps: [] }) === undefined;
      if (mayChangeIt) return describeAccess(await store.grants(teamId), await store.limits(teamId));
      const most = channel === undefined ? undefined : await store.limitOf(teamId, channel);
      return describeOwn(await rights.holdingsOf(asker), most);
    },
  });

  const grant = defineOwn({
    name: 'access grant',
    heading: 'Grant a right',
    summary: 'Grant a right to people, groups, or every member',
    arguments: {
      who: granteesArgument(),
      right: rightArgument('Each includes those before it.'),
      vps: patternsArgument(everything),
    },
    button: 'Grant',
    right: 'administer',
    target: ({ who, right, vps }) => `${right} on ${scopeWords(wordsOf(vps))} for ${who}`,
    async run({ asker: { teamId, userId } }, { who, right, vps }) {
      const [grantees, patterns] = [wordsOf(who), wordsOf(vps)];
      const problems = await checkGrant(teamId, { grantees, right, patterns }, directory);
      if (problems.length > 0) throw misgiven(problems.map(({ message }) => message));
      const change = { teamId, by: userId, nowMs: now() };
      const isAnythingNew = await store.grant(change, { grantees, right, patterns });
      const facts = grantees.map((grantee): Fact => ({ label: 'To', value: granteeValue(grantee) }));
      const what = `${right} on ${scopeWords(patterns)}`;
      const title = isAnythingNew ? `Granted: ${what}` : `Granted before: ${what}, or more`;
      return { title, facts, next: [showStep] };
    },
  });

  const revoke = defineOwn({
    name: 'access revoke',
    heading: 'Revoke a right',
    summary: 'Take back what was granted: on some VPS, or all of it',
    arguments: { who: granteesArgument(), vps: patternsArgument('') },
    button: 'Revoke',
    right: 'administer',
    target: ({ who, vps }) => (vps === '' ? `everything of ${who}` : `${scopeWords(wordsOf(vps))} of ${who}`),
    async run({ asker: { teamId } }, { who, vps }) {
      const facts: Fact[] = [];
      let count = 0;
      for (const grantee of wordsOf(who)) {
        const gone = await store.revoke(teamId, grantee, vps === '' ? undefined : wordsOf(vps));
        count += gone.length;
        facts.push({ label: 'From', value: granteeValue(grantee) });
        facts.push(
          ...gone.map(({ right, pattern }): Fact => ({ label: right, value: scopeWords([pattern]) })),
        );
      }
      const title = count > 0 ? 'Revoked' : 'There was nothing to revoke';
      const hint = 'A right is revoked on just what it was granted for: a name, a pattern, or *.';
      return { title, facts, notes: count > 0 ? [] : [hint], next: [showStep] };
    },
  });

  const limit = defineOwn({
    name: 'access channel',
    heading: 'Limit a channel',
    summary: 'Limit what can be done in a channel, whoever asks',
    arguments: {
      channel: { ...channelArgument({ label: 'Channel', example: '#ops' }), required: true },
      right: rightArgument('The most that counts in the channel; administer lifts the limit.'),
    },
    button: 'Limit',
    right: 'administer',
    target: ({ channel, right }) => `${channel}: at most ${right}`,
    async run({ asker: { teamId, userId } }, { channel, right: most }) {
      if (!/^[CG]/.test(channel)) throw misgiven(['Name a channel, as in #ops']);
      await store.limit({ teamId, by: userId, nowMs: now() }, { channel, most });
      const title = most === 'administer' ? 'The limit is lifted' : `The channel is limited to “${most}”`;
      return { title, facts: [{ label: 'Channel', value: { channel } }], next: [showStep] };
    },
  });

  return [show, grant, revoke, limit];
}

function misgiven(messages: readonly string[]): RackhandError {
  return new RackhandError('input_invalid', `${messages.join('. ')}.`);
}
