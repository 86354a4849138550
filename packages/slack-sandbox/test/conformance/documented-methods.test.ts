import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { BotMethod } from '../../src/web-api/method.ts';
import { webApiMethods } from '../../src/web-api/web-api-methods.ts';

/**
 * Facts of the reference at docs.slack.dev (August 2026): method, rate limit, whether a JSON body is
 * read, scopes of bots, scopes of people.
 */
const documented = readFileSync(new URL('documented-methods.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', tier = '', body = '', bot = '', user = ''] = line.split(' | ');
    const list = (scopes: string) => (scopes === '-' ? [] : scopes.split(' '));
    return { name, tier, acceptsJson: body === 'json', bot: list(bot), user: list(user) };
  });

/** User scopes that stand for the scopes of bots, as `UserScopes` knows. */
const impliedScopes = ['channels:write'];

/** Where the sandbox differs, and why. */
const accepted: Readonly<Record<string, string>> = {
  'assistant.threads.setStatus': 'the page of the method accepts both scopes for now',
  'assistant.threads.setSuggestedPrompts': 'the page of the method accepts both scopes for now',
  'assistant.threads.setTitle': 'the page of the method accepts both scopes for now',
  'conversations.archive': 'only public and private channels are archived',
  'conversations.create': 'only public and private channels are created',
  'conversations.invite': 'the scope mpim:write.invites has its own page',
  'conversations.kick': 'the scopes of the whole family are accepted, and the kind is checked afterwards',
  'conversations.rename': 'only public and private channels are renamed',
  'conversations.setPurpose': 'direct messages have no purpose',
  'conversations.setTopic': 'direct messages have no topic',
  'conversations.unarchive': 'only public and private channels are archived',
  'users.identity': "Slack's guide to signing in names identity.basic",
};

test('every method has the rate limit, the body and the callers of the reference', () => {
  const tiers: Readonly<Record<string, BotMethod['tier']>> = { t2: 2, t3: 3, t4: 4, t5: 'special' };
  const differences = documented.flatMap(({ name, tier, acceptsJson, bot, user }) => {
    const method = webApiMethods.get(name);
    if (method?.token !== 'bot') return [];
    const both = (bot.length > 0 && user.length > 0) || bot.length + user.length === 0;
    const callers = both ? 'everyone' : bot.length > 0 ? 'bots' : 'people';
    return [
      ...(tiers[tier] !== undefined && tiers[tier] !== method.tier ? [`${name}: ${tier}`] : []),
      ...(acceptsJson === method.acceptsJson ? [] : [`${name}: acceptsJson is ${acceptsJson}`]),
      ...(callers === method.callers ? [] : [`${name}: called by ${callers}`]),
    ];
  });
  expect(differences).toEqual([]);
});

test('every method has the scopes of the reference', () => {
  const different = documented.filter(({ name, bot, user }) => {
    const method = webApiMethods.get(name);
    if (method?.token !== 'bot') return false;
    const needed = new Set([...bot, ...user].filter((scope) => !impliedScopes.includes(scope)));
    return [...needed].sort().join() !== [...method.scopes].sort().join();
  });
  expect(different.map(({ name }) => name)).toEqual(Object.keys(accepted));
});

test('every covered method is in the reference', () => {
  expect(documented.map(({ name }) => name)).toEqual([...webApiMethods.keys()].sort());
});
