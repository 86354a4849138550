import { expect, test } from 'vitest';
import { startApp } from '../start-app.ts';

test('people join, change and leave, and the app hears of it', async () => {
  const { sandbox, client, events } = await startApp({ scopes: [], events: ['team_join', 'user_change'] });
  const { id } = await sandbox.post('person', { name: 'zoe', real_name: 'Zoe Zhou' });
  await sandbox.post('person', { name: 'zoe', real_name: 'Zoe Zimmer', role: 'guest' });
  expect(id).toMatch(/^U[A-Z0-9]{8,}$/);
  expect((await client.users.info({ user: String(id) })).user).toMatchObject({
    real_name: 'Zoe Zimmer',
    is_restricted: true,
    deleted: false,
  });
  await sandbox.post('person', { name: 'zoe', role: 'deactivated' });
  expect((await client.users.info({ user: String(id) })).user).toMatchObject({ deleted: true });
  expect(await events()).toMatchObject([
    { type: 'team_join', user: { id, name: 'zoe', real_name: 'Zoe Zhou' } },
    { type: 'user_change', user: { id, real_name: 'Zoe Zimmer' } },
    { type: 'user_change', user: { id, deleted: true } },
  ]);
  await expect(sandbox.post('person', { name: 'No Good' })).rejects.toThrow('name: must be lowercase');
});

test('a reset restores the people', async () => {
  const { sandbox, outcome } = await startApp({ scopes: [] });
  const { id } = await sandbox.post('person', { name: 'zoe' });
  await sandbox.post('reset');
  expect(await outcome('users.info', { user: id })).toBe('user_not_found');
});
