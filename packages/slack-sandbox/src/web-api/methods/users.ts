import { z } from 'zod';
import { flag, nonEmptyString, paging } from '../arguments.ts';
import { defineMethod } from '../method.ts';
import { toUserObject } from '../objects/user-object.ts';
import { paginate } from '../pagination.ts';
import { SlackError } from '../slack-error.ts';

export const usersInfo = defineMethod({
  name: 'users.info',
  tier: 4,
  scopes: ['users:read'],
  acceptsJson: false,
  args: () => z.object({ user: nonEmptyString, include_locale: flag.optional() }),
  run({ user: id, include_locale }, core, workspace) {
    const person = workspace.people.get(id);
    if (!person) throw new SlackError('user_not_found');
    const facts = toUserObject(core, person);
    return { user: { ...facts, ...(include_locale && { locale: 'en-US' }) } };
  },
});

export const usersList = defineMethod({
  name: 'users.list',
  tier: 2,
  scopes: ['users:read'],
  acceptsJson: false,
  args: () => z.object(paging),
  run(args, core, workspace) {
    const { items, response_metadata } = paginate([...workspace.people.values()], args, 1000);
    return {
      members: items.map((person) => toUserObject(core, person)),
      cache_ts: Math.floor(core.clock.now() / 1000),
      response_metadata,
    };
  },
});
