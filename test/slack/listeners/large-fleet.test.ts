import { describe, expect, onTestFinished, test } from 'vitest';
import { blocksText } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';
import { startHostileHarness } from '../hostile/hostile-harness.ts';
import { suggest } from '../modals/form/form-driver.ts';
import { visibleText } from '../operations/visible-text.ts';

describe('a fleet of 500 VPS', () => {
  const running = useStack({ hosting: { vpsCount: 500, quota: 10_000 } }, 'group');

  test('is listed in plain pages of 25, with its states counted first', async () => {
    const { slack } = running;
    await slack.slash('list');
    const list = await slack.message('500 VPS');
    expect(visibleText(list.blocks)).toMatch(/^500 VPS\nStates: \d+ running, \d+ stopped\n/);
    expect(visibleText(list.blocks)).toContain('1 to 25 of 500');
    await slack.click(list, 'page:next');
    await slack.untilSeen(async () =>
      expect(visibleText((await slack.newMessage('500 VPS')).blocks)).toContain('26 to 50 of 500'),
    );
  });

  test('is too large for one batch', async () => {
    await running.slack.slash('reboot VPS-*');
    await running.slack.message("That's 500 VPS. At most 50 can be changed at once");
  });

  test('is searched while typing, beyond the 100 options of a select', async () => {
    await running.slack.slash('show');
    expect(await suggest(running, 'vps', '')).toHaveLength(100);
    expect(await suggest(running, 'vps', '10487')).toEqual(['VPS-10487']);
  });

  test('is shown on the App Home by its first VPS, with a search select for the others', async () => {
    await running.slack.act('home', { user: 'U0ALICE' });
    await expect.poll(() => running.slack.home()).toContain('The first 25 of 500 VPS.');
    expect(await running.slack.home()).toContain('Find a VPS…');
  });
});

test('of a list in 120 pages, 20 are read, which is said, and any VPS is found by its name', async () => {
  const stage = await startHostileHarness({ vpsCount: 600 });
  onTestFinished(stage.close);
  const { slack, service } = stage;
  await service.split(5);
  await slack.slash('list');
  const list = await slack.message('The first 100 VPS');
  expect(blocksText(list)).toContain('This list may be incomplete');
  expect((await service.calls()).filter(({ path }) => path === '/v1/vps')).toHaveLength(20);
  await slack.slash('reboot');
  expect(await suggest(stage, 'vps', 'vps-10600')).toEqual(['VPS-10600']);
  expect(await suggest(stage, 'vps', 'VPS-99999')).toHaveLength(1);
});

const filler = 'x'.repeat(9 * 2 ** 20);

/** Makes the list of VPS larger than 8 MiB. */
function fillList(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'vps' in data ? { ...data, filler } : data;
}

test('a VPS can be reached by its VPS name if the list is too large to read', async () => {
  const stage = await startHostileHarness({
    distort: { transform: fillList, extend: fillList, error: (body) => body },
  });
  onTestFinished(stage.close);
  const { slack } = stage;
  await slack.slash('list');
  await slack.message("is larger than 8 MiB, so Rackhand didn't read it");
  await slack.slash('show VPS-10012');
  await slack.message(/^VPS-10012$/);
  await slack.slash('reboot web-07.acme.example');
  const notFound = await slack.message('Rackhand found no VPS called "web-07.acme.example"');
  expect(blocksText(notFound)).toContain("Rackhand couldn't read the whole list.");
  await slack.slash('reboot');
  await expect.poll(() => suggest(stage, 'vps', 'VPS-10012')).toContain('VPS-10012');
});
