import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blocksText, type RunningStack, startStack } from '../stack.ts';
import { readAuditRows, readButtonLabels, runCommand } from './command-driver.ts';

let running: RunningStack;
beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

const run = (command: string, expected: RegExp) => runCommand(running, command, expected);

describe('a VPS is found by its name', () => {
  test('in a mention', async () => {
    await running.slack.mention('@rackhand reboot web-02');
    const card = await running.slack.message(/^Reboot web-02 \(VPS-10002\)\?/);
    expect(blocksText(card)).toContain('web-02.acme.example');
    expect(await running.service.changes()).toEqual([]);
  });

  test('by the button of a suggestion', async () => {
    const problem = await run('reboot web-1', /Rackhand found no VPS called "web-1"/);
    expect(readButtonLabels(problem)).toContain('Use web-01 (VPS-10001)');
    await running.slack.click(problem, 'Use web-01 (VPS-10001)');
    await running.slack.message(/^Reboot web-01 \(VPS-10001\)\?/);
  });

  test('in the activity log', async () => {
    await run('show web-01', /VPS-10001/);
    await run('show web-02', /VPS-10002/);
    const log = await run('history web-01 --kind all', /^Activity log$/);
    expect(readAuditRows(log)).toEqual(['alice | ✅ Done | show web-01 (VPS-10001)']);
    expect(blocksText(log)).toContain('web-01 (VPS-10001)');
    await run('history orders --kind all', /Rackhand found no VPS called "orders"/);
    await run('alias VPS-10001 orders', /^orders is now an alias/);
    expect(readAuditRows(await run('history orders @bob', /^No activity found$/))).toEqual([]);
    expect(readAuditRows(await run('history orders --kind all', /^Activity log$/))).toContain(
      'alice | ✅ Done | show web-01 (VPS-10001)',
    );
  });
});

describe("a team's alias", () => {
  test('selects VPS of a report and of a watch, also by pattern, and is shown by them', async () => {
    await run('alias VPS-10004 orders-1', /^orders-1 is now an alias/);
    await run('alias VPS-10007 orders-2', /^orders-2 is now an alias/);
    const inDms = (expected: RegExp) => running.slack.message(expected, 'U0ALICE', 'U0ALICE');
    await running.slack.slash('report run --vps orders-*');
    const report = await inDms(/orders-1 \(VPS-10004\)/);
    expect(blocksText(report)).toContain('orders-2 (VPS-10007)');
    expect(blocksText(report)).not.toContain('VPS-10001');
    await running.slack.slash('report run --vps orders-2');
    await inDms(/orders-2 \(VPS-10007\)/);
    const watch = await run('watch add orders-* cpu > 99% --name Orders', /^Watch "Orders" was added$/);
    expect(blocksText(watch)).toContain('orders-* (2 now)');
    expect(blocksText(watch)).toMatch(/orders-1 \(VPS-10004\) \d+/);
    await run('report add daily --vps orders-1 --name Orders', /^Report "Orders" is scheduled$/);
    await run('watch add nothing-* cpu > 99%', /No VPS matches nothing-\*/);
  });
});
