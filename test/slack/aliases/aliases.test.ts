import { expect, test } from 'vitest';
import { blocksText } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';
import { readTable, runCommand } from '../command-driver.ts';

const running = useStack({
  grants: [
    { grantee: 'U0BOB', right: 'operate', pattern: 'VPS-10001' },
    { grantee: 'U0CAROL', right: 'view', pattern: '*' },
  ],
});

test("a team's alias works in commands, is shown, listed and removed", async () => {
  const { slack } = running;
  await runCommand(running, 'alias db-02 orders', /^orders is now an alias of db-02 \(VPS-10006\)$/);
  await slack.slash('reboot orders');
  const card = await slack.message('Reboot orders (VPS-10006)?');
  expect(blocksText(card)).toContain('db-02.acme.example');

  const list = await runCommand(running, 'list', /^12 VPS$/);
  expect(readTable(list).flat().join(' ')).toContain('orders (VPS-10006)');

  const removed = await runCommand(running, 'alias remove orders', /^Alias orders was removed$/);
  await slack.slash('reboot orders');
  await slack.message('Rackhand found no VPS called "orders"');
  await slack.click(removed, 'Undo');
  await slack.message(/^orders is now an alias of db-02/);
  await slack.slash('history');
  expect(blocksText(await slack.message(/activity|entries|Activity/))).toContain('alias remove');
});

test('the name of another VPS needs the right to operate that VPS too', async () => {
  const { slack } = running;
  await slack.slash('alias VPS-10001 db-02', { user: 'U0BOB' });
  await slack.message('The service calls another VPS "db-02"', 'C0OPS', 'U0BOB');
  await slack.slash('reboot db-02');
  await slack.message('Reboot db-02 (VPS-10006)?');
});
