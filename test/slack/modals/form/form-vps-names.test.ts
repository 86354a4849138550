import { expect, test } from 'vitest';
import { blocksText } from '../../../stack.ts';
import { useStack } from '../../../use-stack.ts';

const running = useStack({}, 'group');

test('a form opened with a hostname has the VPS chosen, and lists its snapshots', async () => {
  const { slack } = running;
  await slack.slash('snapshot restore db-01');
  const view = await slack.modal();
  expect(blocksText(view)).toContain('db-01 (VPS-10005)');
  expect(blocksText(view)).toContain('"value":"VPS-10005"');
  const select = view.blocks.find(({ block_id: id }) => id?.startsWith('snapshot'));
  const { options = [] } = await slack.act('suggest', {
    user: 'U0ALICE',
    view: view.id,
    block_id: select?.block_id,
    action_id: 'remote',
    text: '',
  });
  expect(options.map(({ value }) => value)).toContain('weekly');
});

test('a select finds a VPS by its hostname and shows both names', async () => {
  const { slack } = running;
  await slack.slash('snapshot create');
  const view = await slack.modal();
  const { options = [] } = await slack.act('suggest', {
    user: 'U0ALICE',
    view: view.id,
    action_id: 'remote',
    text: 'legacy-01.acme',
  });
  expect(JSON.stringify(options)).toContain('legacy-01 (VPS-10012)');
});
