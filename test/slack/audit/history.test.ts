import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningStack, type SlackMessage, startStack } from '../../stack.ts';
import { bob, readAuditRows, readButtonLabels, readTable, runCommand } from '../command-driver.ts';

let running: RunningStack;

beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

describe('history', () => {
  test('shows who did what and how it ended, newest first, only to its actor', async () => {
    await runCommand(running, 'show VPS-10001', /VPS-10001/);
    await runCommand(running, 'show VPS-10002', /VPS-10002/, bob);
    await runCommand(running, 'reboot VPS-10001', /don't have permission/, bob);
    const answer = await runCommand(running, 'history --kind all', /Activity log/);
    expect(readAuditRows(answer)).toEqual([
      expect.stringMatching(/^bob \| 🚫 Refused \| Reboot web-01 \(VPS-10001\)/),
      'bob | ✅ Done | show web-02 (VPS-10002)',
      'alice | ✅ Done | show web-01 (VPS-10001)',
    ]);
    expect(readTable(answer)[0]?.[3]).toMatch(/don't have permission/);
    expect(readTable(answer)[1]?.[3]).toBe('–');
    expect(readTable(answer)[0]?.[4]).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(answer.ephemeral).toBe(true);
    expect(answer.pings).toEqual([]);
  });

  test('shows a refused grant on several VPS with their names', async () => {
    await runCommand(running, 'access grant @carol view VPS-10001 VPS-10002', /don't have permission/, bob);
    const answer = await runCommand(running, 'history --kind all', /Activity log/);
    expect(readAuditRows(answer)).toEqual([
      expect.stringContaining('view on web-01 (VPS-10001), web-02 (VPS-10002) for '),
    ]);
  });

  test('filters by VPS, person, time and unsuccessful runs', async () => {
    await runCommand(running, 'show VPS-10001', /VPS-10001/);
    await runCommand(running, 'show VPS-10002', /VPS-10002/, bob);
    await runCommand(running, 'reboot VPS-10001', /don't have permission/, bob);
    const lines = async (typed: string) =>
      readAuditRows(await runCommand(running, typed, /Activity log|No activity found/));
    const refused = expect.stringMatching(/^bob \| 🚫 Refused \| Reboot web-01 \(VPS-10001\)/);
    expect(await lines('history VPS-10001 --kind all')).toEqual([
      refused,
      'alice | ✅ Done | show web-01 (VPS-10001)',
    ]);
    expect(await lines('history @bob --kind all')).toEqual([
      refused,
      'bob | ✅ Done | show web-02 (VPS-10002)',
    ]);
    expect(await lines('history vps-10001 @bob --kind all')).toEqual([refused]);
    expect(await lines('history --failed')).toEqual([refused]);
    expect(await lines('history @bob --since 1h --kind all')).toHaveLength(2);
    expect(await lines('history --since 2099-01-01')).toEqual([]);
  });

  test('leaves out reads unless they are asked for, and says what a change did', async () => {
    await runCommand(running, 'show VPS-10001', /VPS-10001/);
    const port = await runCommand(running, 'ssh set VPS-10001 2222', /Set the SSH port/);
    await running.slack.click(port, 'confirm');
    await running.slack.message(/Set the SSH port.*Done/);
    const card = await runCommand(running, 'reboot VPS-10002', /Reboot web-02 \(VPS-10002\)\?/);
    await running.slack.click(card, 'cancel');
    const answer = await runCommand(running, 'history', /Activity log/);
    expect(readAuditRows(answer)).toEqual([
      'alice | ✖️ Cancelled | Reboot web-02 (VPS-10002)',
      'alice | ✅ Done | Set the SSH port of web-01 (VPS-10001) to 2222',
    ]);
    expect(readAuditRows(await runCommand(running, 'history --target 2222', /Activity log/))).toHaveLength(1);
    expect(readAuditRows(await runCommand(running, 'history --failed', /No activity found/))).toEqual([]);
  });

  test('names grantees without mentioning them', async () => {
    await runCommand(running, 'access grant @bob operate', /Granted/);
    const answer = await runCommand(running, 'history', /Activity log/);
    expect(readAuditRows(answer)).toEqual(['alice | ✅ Done | access grant operate on all VPS for bob']);
    expect(answer.pings).toEqual([]);
  });

  test('says that nothing was found, and shows the filters', async () => {
    const none = await runCommand(running, 'history VPS-10012 --failed', /No activity found/);
    expect(JSON.stringify(none.blocks)).toContain('VPS-10012');
    expect(readButtonLabels(none)).toEqual(['Show All', 'With Reads', 'Export CSV', 'Post to Channel']);
    await running.slack.click(none, 'Show All');
    await running.slack.message('No activity found');
  });

  test('says nothing about a VPS that the person is not allowed to view', async () => {
    await running.close();
    running = await startStack({ grants: [] });
    await runCommand(running, 'alias VPS-10002 frontend', /frontend/);
    const textOf = async (vps: string) => {
      const { blocks } = await runCommand(running, `history ${vps}`, /No activity found/, bob);
      return JSON.stringify(blocks.slice(0, 2))
        .replaceAll(/"block_id":"[^"]*"/g, '')
        .replaceAll(vps, 'VPS');
    };
    const missing = await textOf('VPS-19999');
    expect([await textOf('VPS-10001'), await textOf('VPS-10002')]).toEqual([missing, missing]);
  });

  test('pages to older runs and back', async () => {
    for (let index = 0; index < 30; index += 1) await runCommand(running, 'help show', /Show/);
    const first = await runCommand(running, 'history --kind reads', /Activity log/);
    expect(readAuditRows(first)).toEqual(Array(25).fill('alice | ✅ Done | help'));
    expect(readButtonLabels(first).slice(0, 2)).toEqual(['Older', 'Only Failed']);
    await running.slack.click(first, 'Older');
    const isSecond = ({ text, ts }: SlackMessage) => text === 'Activity log' && ts !== first.ts;
    const seconds = async () => (await running.slack.messages()).filter(isSecond);
    await expect.poll(async () => (await seconds()).length).toBe(1);
    const [second] = await seconds();
    if (!second) throw new Error('there is no second page');
    expect(readAuditRows(second)).toEqual(Array(5).fill('alice | ✅ Done | help'));
    expect(readButtonLabels(second).slice(0, 2)).toEqual(['Newer', 'Only Failed']);
    await running.slack.click(second, 'Newer');
    await expect.poll(async () => (await seconds()).length).toBe(2);
    const [, back] = await seconds();
    if (!back) throw new Error('there is no way back');
    expect(readAuditRows(back)).toHaveLength(25);
  });

  test('shows members their own runs and those on VPS that they can view, but no admin runs', async () => {
    await runCommand(running, 'show VPS-10001', /VPS-10001/);
    await runCommand(running, 'history --export csv', /exported/);
    await runCommand(running, 'history --export csv', /don't have permission/, bob);
    const what = (message: SlackMessage) =>
      readAuditRows(message).map((line) => line.replace(/ \| .* \| /, ' '));
    expect(what(await runCommand(running, 'history --kind all', /Activity log/, bob))).toEqual([
      'bob history',
      'alice show web-01 (VPS-10001)',
    ]);
    expect(what(await runCommand(running, 'history --kind all', /Activity log/))).toEqual([
      'bob history',
      'bob history',
      'alice history',
      'alice show web-01 (VPS-10001)',
    ]);
  });

  test('posted to the channel mentions nobody', async () => {
    await runCommand(running, 'show VPS-10002', /VPS-10002/, bob);
    const answer = await runCommand(running, 'history --kind reads', /Activity log/);
    await running.slack.click(answer, 'share');
    await expect
      .poll(async () => (await running.slack.messages('C0OPS', 'U0BOB')).at(-1)?.text)
      .toBe('Activity log');
    const posted = (await running.slack.messages('C0OPS', 'U0BOB')).at(-1);
    expect(posted).toMatchObject({ ephemeral: false, pings: [] });
  });

  test('is rejected with a button for the form if its options make no sense', async () => {
    for (const [typed, words] of [
      ['history web1', 'Rackhand found no VPS called "web1"'],
      ['history --since yesterday', 'A time looks like'],
      ['history --to #nowhere', "doesn't know the channel"],
      ['history --export xlsx', 'csv or jsonl'],
      ['history --kind writes', 'changes, reads, settings or all'],
    ] as const) {
      const answer = await runCommand(running, typed, new RegExp(words));
      expect(readButtonLabels(answer)).toContain('Open Form');
    }
  });
});
