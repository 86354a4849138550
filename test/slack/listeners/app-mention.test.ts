import { expect, test } from 'vitest';
import { useStack } from '../../use-stack.ts';
import { readButtonLabels } from '../command-driver.ts';

const running = useStack({ hosting: { vpsCount: 120 } }, 'group');

test('a read that is asked for by a mention is answered to everyone, unless --private is typed', async () => {
  const { slack } = running;
  await slack.mention('@Rackhand show web-01');
  expect(await slack.message('web-01 (VPS-10001)', 'C0OPS', 'U0BOB')).toMatchObject({ ephemeral: false });
  await slack.mention('@Rackhand show web-02 --private');
  expect(await slack.message('web-02 (VPS-10002)')).toMatchObject({ ephemeral: true });
  await slack.mention('@Rackhand shw web-01');
  expect(await slack.message("There's no command named")).toMatchObject({ ephemeral: true });
});

test('only the person who asked turns the pages that everyone sees', async () => {
  const { slack } = running;
  await slack.mention('@Rackhand list');
  const list = await slack.message(/120 VPS/);
  expect(list.ephemeral).toBe(false);
  expect(readButtonLabels(list)).not.toContain('Post to Channel');
  await slack.click(list, 'page:next', { user: 'U0BOB' });
  await slack.message('Only the person who ran this command can page through its reply', 'C0OPS', 'U0BOB');
  await slack.click(list, 'page:next');
  const turned = await slack.message(/120 VPS/);
  expect(turned.ts).toBe(list.ts);
  expect(readButtonLabels(turned)).toContain('Previous');
});
