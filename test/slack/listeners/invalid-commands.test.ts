import { describe, expect, test } from 'vitest';
import { blocksText } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';

describe('an invalid command', () => {
  const running = useStack({ hosting: { quota: 10_000 } }, 'group');

  test.each([
    ['reboot legacy01', 'Rackhand found no VPS called "legacy01"', 'Use legacy-01 (VPS-10012)'],
    ['show <!channel>', 'Rackhand found no VPS called "<!channel>"', undefined],
    ['reboot VPS-1001', "VPS-1001 isn't in the service's list of VPS", 'Use web-01 (VPS-10001)'],
    ['reboot the web server please', 'Rackhand found no VPS called "web"', 'Use web-02 (VPS-10002)'],
  ])('"%s" suggests VPS only if they are close, and offers the list', async (text, what, closest) => {
    const { slack, service } = running;
    await slack.slash(text);
    const answer = await slack.message(what.replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
    expect(answer.ephemeral).toBe(true);
    const blocks = blocksText(answer);
    expect(blocks.includes('"Use ')).toBe(closest !== undefined);
    if (closest !== undefined) expect(blocks).toContain(`"${closest}"`);
    expect(blocks).toContain('"List VPS"');
    expect(blocks.includes('"Try Anyway"')).toBe(what.startsWith('VPS-'));
    expect(await service.changes()).toEqual([]);
  });

  test('runs the suggested name when its button is pressed', async () => {
    const { slack } = running;
    await slack.slash('reboot vps10009');
    await slack.click(await slack.message('found no VPS called "vps10009"'), 'Use mail-01 (VPS-10009)');
    await slack.message('Reboot mail-01 (VPS-10009)?');
  });

  test('with a suggestion for a change that needs no confirmation shows a card first', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot create staging01 before');
    await slack.click(await slack.message('found no VPS called "staging01"'), 'Use staging-01 (VPS-10011)');
    const card = await slack.message('Take snapshot before of staging-01 (VPS-10011)?');
    expect(blocksText(card)).toContain('running');
    expect(await service.changes()).toEqual([]);
  });

  test('with a VPS name that is not listed lets the service decide when it is tried anyway', async () => {
    const { slack } = running;
    await slack.slash('show VPS-99998');
    await slack.click(await slack.message("VPS-99998 isn't in the service's list"), 'Try Anyway');
    await expect
      .poll(async () => JSON.stringify(await slack.messages()))
      .toContain('The service says: “There is no VPS VPS-99998.”');
  });

  test('with a wrong value offers the form, filled with the input', async () => {
    const { slack } = running;
    await slack.slash('ssh set VPS-10001 65536');
    await slack.click(await slack.message('SSH port must be'), 'Open Form');
    const view = await slack.modal();
    expect(blocksText(view)).toContain('"value":"VPS-10001"');
    expect(blocksText(view)).toContain('65536');
    await slack.act('close', { user: 'U0ALICE', view: view.id });
  });
});
