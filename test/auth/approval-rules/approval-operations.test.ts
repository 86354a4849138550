import { expect, test } from 'vitest';
import { alice, bob, useAuthOperations } from '../operations-fixture.ts';

const zoe = 'U0ZOE';
const auth = useAuthOperations({
  admins: [alice],
  groups: { S0ONCALL: [bob], S0EMPTY: [], S0DARK: 'unknown' },
});
const { confirm, type, typeRefused, validateForm } = auth;

const listRules = async () =>
  (await auth.approvalRules.list('T1')).map(
    ({ subject, vps, channel, userGroup }) =>
      `${subject} ${vps} ${channel ?? 'direct'} ${userGroup ?? 'everyone'}`,
  );
const findId = async (subject: string) =>
  (await auth.approvalRules.list('T1')).find((rule) => rule.subject === subject)?.id ?? '';

test('a rule is stored, and shown with what it applies to and who is asked', async () => {
  expect(await type('approval list')).toEqual({
    title: 'Nothing needs approval or a reason',
    next: [expect.objectContaining({ operation: 'approval require', opensForm: true })],
  });
  expect((await type('approval require destroy')).title).toBe(
    'Approval is now required for anything that can lose data',
  );
  const required = await type('approval require reboot --vps VPS-10001 --channel C0OTHER --group S0ONCALL');
  expect(required).toMatchObject({
    title: 'Approval is now required for reboot on web-01 (VPS-10001)',
    notes: ['This stays with the VPS name, even if hostnames change.'],
  });
  expect(await listRules()).toEqual(['destroy * direct everyone', 'reboot VPS-10001 C0OTHER S0ONCALL']);
  const list = await type('approval list');
  expect(list.title).toBe('2 approval rules');
  expect(list.table?.rows.map(([_, ...cells]) => cells)).toEqual([
    ['approval', 'anything that can lose data', 'any', 'direct messages', 'everyone who can approve'],
    [
      'approval',
      'reboot',
      'web-01 (VPS-10001)',
      { kind: 'channel', channel: 'C0OTHER' },
      { kind: 'userGroup', userGroup: 'S0ONCALL' },
    ],
  ]);
  expect(list.next).toMatchObject([
    { operation: 'approval delete', input: { id: await findId('destroy') } },
    { operation: 'approval delete', input: { id: await findId('reboot') } },
  ]);
});

test('a rule is only about changes, and asks only a user group with members', async () => {
  for (const what of ['juggle', 'list', 'approval delete'])
    expect(await typeRefused(`approval require ${what}`)).toBe(
      `"${what}" isn't an operation that changes something.`,
    );
  for (const [group, problem] of [
    [bob, "Choose a user group: a rule can't ask a single person"],
    ['S0GONE', "This user group doesn't exist in Slack anymore"],
    ['S0EMPTY', 'This user group has no members'],
  ]) {
    const command = `approval require reboot --group ${group}`;
    expect(await typeRefused(command)).toBe(`${problem}.`);
    expect(await validateForm(command)).toEqual([{ path: 'group', message: problem }]);
  }
  for (const valid of ['', '--group S0ONCALL', '--group S0DARK'])
    expect(await validateForm(`approval require reboot ${valid}`)).toEqual([]);
  expect(await typeRefused('approval require reboot', bob)).toContain("You don't have permission");
  expect(await listRules()).toEqual([]);
  await type('approval require reboot --group S0DARK');
  await type('approval require reveal');
  await type('approval require CHANGE');
  expect(await listRules()).toEqual([
    'reboot * direct S0DARK',
    'reveal * direct everyone',
    'change * direct everyone',
  ]);
});

test('a rule whose cards go to a channel where nobody can approve is made with a warning', async () => {
  const limit = (maxRight: 'view' | 'operate') =>
    auth.grants.setChannelLimit(
      { teamId: 'T1', changedBy: alice, nowMs: 1 },
      { channel: 'C0OTHER', maxRight },
    );
  const addRule = async (what: string) =>
    (await type(`approval require ${what} --channel C0OTHER`)).notes?.join(' ') ?? '';
  await limit('view');
  for (const [what, right] of Object.entries({ reboot: 'operate', reveal: 'reveal', change: 'destroy' }))
    expect(await addRule(what)).toContain(
      `allows only "view", so nobody can approve anything there that needs "${right}"`,
    );
  await limit('operate');
  expect(await addRule('reboot')).not.toContain('nobody can approve');
});

test('a rule can require a reason, which asks no approver', async () => {
  expect(await type('approval require destroy --vps VPS-10001 --reason')).toMatchObject({
    title: 'A reason is now required for anything that can lose data on web-01 (VPS-10001)',
    table: {
      rows: [[expect.anything(), 'a reason', 'anything that can lose data', expect.anything(), '–', '–']],
    },
  });
  expect(await auth.approvalRules.list('T1')).toMatchObject([{ needs: 'reason', subject: 'destroy' }]);
  for (const refused of ['destroy --group S0ONCALL', 'destroy --channel C0OTHER'])
    expect(await typeRefused(`approval require ${refused} --reason`)).toContain('nobody approves a reason');
  expect(await typeRefused('approval require reveal --reason')).toContain(
    "can't be required for seeing a secret",
  );
});

test('a rule is deleted by its ID, or by what it applies to if no other rule does', async () => {
  await type('approval require reboot --vps VPS-10001');
  await type('approval require destroy');
  const id = await findId('reboot');
  await type('approval require reboot');
  expect(await typeRefused('approval delete reboot')).toBe(
    `2 rules apply to "reboot": give the ID of one, ${id} (approval, VPS VPS-10001) or ${
      (await auth.approvalRules.list('T1'))[2]?.id
    } (approval, VPS any).`,
  );
  expect(await typeRefused('approval delete')).toContain('Say which rule');
  const unknown = 'run approval list to see the rules and their IDs.';
  expect(await typeRefused('approval delete Stop')).toBe(`There's no approval rule "Stop": ${unknown}`);
  expect(await type(`approval delete ${id}`)).toMatchObject({
    title: 'Delete the approval rule for reboot on web-01 (VPS-10001)?',
    next: [{ label: 'Delete Rule', input: { id, confirmed: true } }],
  });
  expect(await auth.approvalRules.list('T1')).toHaveLength(3);
  expect(await confirm(`approval delete ${id.toUpperCase()}`)).toMatchObject({
    title: 'Rule deleted: reboot on web-01 (VPS-10001)',
    table: { rows: [expect.anything(), expect.anything()] },
  });
  expect(await listRules()).toEqual(['destroy * direct everyone', 'reboot * direct everyone']);
  expect((await confirm('approval delete Reboot')).title).toBe('Rule deleted: reboot');
  expect(await listRules()).toEqual(['destroy * direct everyone']);
  expect(await typeRefused('approval delete destroy', bob)).toContain("You don't have permission");
  expect(await listRules()).toEqual(['destroy * direct everyone']);
});

test('a rule is not deleted by one admin alone if there is another', async () => {
  await type('approval require reboot --vps VPS-10001');
  await type(`access grant ${zoe} admin`);
  expect(await confirm('approval delete reboot')).toMatchObject({
    title: 'Another admin has to approve this: Delete the approval rule for reboot on web-01 (VPS-10001)',
  });
  expect(await listRules()).toEqual(['reboot VPS-10001 direct everyone']);
  const asks = await auth.runner.database.db.selectFrom('ask').selectAll().execute();
  expect(asks).toMatchObject([
    {
      kind: 'drop_rule',
      subject: await findId('reboot'),
      expires_at: auth.runner.nowMs + 24 * 3_600_000,
    },
  ]);
});

test('a rule is removed only from its own workspace', async () => {
  await type('approval require reboot');
  const id = await findId('reboot');
  expect(await auth.approvalRules.list('T2')).toEqual([]);
  expect(await auth.approvalRules.remove('T2', id)).toBe(false);
  expect(await auth.approvalRules.remove('T1', 'another')).toBe(false);
  expect(await auth.approvalRules.remove('T1', id)).toBe(true);
  expect(await auth.approvalRules.remove('T1', id)).toBe(false);
});
