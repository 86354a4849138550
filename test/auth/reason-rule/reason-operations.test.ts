import { expect, test } from 'vitest';
import { bob, useAuthOperations } from '../operations-fixture.ts';

const auth = useAuthOperations();
const { type, typeRefused } = auth;

const change = { operation: 'reason require', opensForm: true };

test('a workspace says which changes need a reason, and says so to whoever asks', async () => {
  await auth.grants.grant(
    { teamId: 'T1', changedBy: null, nowMs: 1 },
    { grantees: [bob], right: 'view', patterns: ['*'] },
  );
  const off = { title: 'No change needs a reason', next: [change] };
  // Bob can't change the rule, so he gets no button for it.
  expect(await type('approval list', bob)).toMatchObject({ notes: [`${off.title}.`], next: [] });
  for (const [rule, title] of [
    ['destroy', 'Anything that can lose data needs a reason'],
    ['change', 'Every change needs a reason'],
  ]) {
    const shown = { title, notes: [expect.stringContaining('--reason')], next: [change] };
    expect(await type(`reason require ${rule}`)).toMatchObject(shown);
    expect(await auth.reasonRules.find('T1')).toBe(rule);
    expect(await type('approval list', bob)).toMatchObject({ notes: [`${title}.`], next: [] });
  }
  expect(await type('reason require off')).toMatchObject(off);
  expect(await auth.reasonRules.find('T1')).toBeUndefined();
  expect(await type('approval list', bob)).toMatchObject({ notes: [`${off.title}.`], next: [] });
});

test('a rule about reasons belongs to one workspace, and only its admins can change it', async () => {
  const other = { teamId: 'T2', userId: 'U0OTHER' };
  await auth.reasonRules.save(other, 'destroy', 1);
  await type('reason require change');
  expect(await auth.reasonRules.find('T2')).toBe('destroy');
  expect(await auth.reasonRules.find('T1')).toBe('change');
  expect(await auth.reasonRules.find('T3')).toBeUndefined();
  expect(await typeRefused('reason require off', bob)).toContain("You don't have permission");
  expect(await typeRefused('reason require everything')).toContain('Choose destroy, change or off');
  expect(await auth.reasonRules.find('T1')).toBe('change');
  await type('reason require off');
  expect(await auth.reasonRules.find('T2')).toBe('destroy');
});
