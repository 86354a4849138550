import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { blocksText, type ModalView, type RunningStack, startStack } from '../../../stack.ts';
import { toSelectedOption, toTextValue } from './form-driver.ts';

const answerSchema = z.looseObject({
  option_groups: z
    .array(
      z.object({
        label: z.looseObject({ text: z.string() }),
        options: z.array(z.looseObject({ value: z.string() })),
      }),
    )
    .default([]),
});

let running: RunningStack;
beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

/** Returns what a select offers for typed text, by group. */
async function suggestGroups({ id: view }: ModalView, text: string, block_id?: string) {
  const answer = await running.slack.act('suggest', {
    user: 'U0ALICE',
    view,
    action_id: 'remote',
    text,
    ...(block_id && { block_id }),
  });
  return answerSchema
    .parse(answer)
    .option_groups.map(({ label, options }) => [label.text, options.map(({ value }) => value)]);
}

describe('a name that the service does not list', () => {
  test('is offered apart from the listed ones, and the service decides after a confirmation', async () => {
    const { slack, service } = running;
    await slack.slash('lb delete');
    const view = await slack.modal();
    expect(await suggestGroups(view, 'pending.acme.example')).toEqual([
      ['Not in the list', ['~?pending.acme.example']],
    ]);
    expect(await suggestGroups(view, 'www.acme')).toEqual([
      ['In the list', ['www.acme.example']],
      ['Not in the list', ['~?www.acme']],
    ]);
    await slack.submit(view, { domain: toSelectedOption('~?pending.acme.example') });
    const card = await slack.message(/^Delete load balancer pending\.acme\.example\?/);
    expect(await service.changes()).toEqual([]);
    await slack.click(card, 'confirm');
    await slack.message(/Delete load balancer pending\.acme\.example: ❌/);
    expect(await service.changes()).toMatchObject([
      { method: 'DELETE', path: '/v1/services/webgate/load-balancers/pending.acme.example', status: 404 },
    ]);
  });

  test('is offered for a VPS only as a VPS name, and the service says whether it exists', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot create');
    const view = await slack.modal();
    expect(await suggestGroups(view, 'vps-10077')).toEqual([['Not in the list', ['~?VPS-10077']]]);
    expect(await suggestGroups(view, 'web-77')).toEqual([]);
    expect(await suggestGroups(view, 'web-01')).toEqual([]);
    await slack.submit(view, { vps: toSelectedOption('~?VPS-10077'), name: toTextValue('before') });
    await slack.message(/The hosting service couldn't find this \(HTTP 404\)/);
    expect((await service.calls()).map(({ path }) => path)).toContain('/v1/vps/VPS-10077');
    expect(await service.changes()).toEqual([]);
  });

  test('is not offered for data of Rackhand, or for text that the field does not accept', async () => {
    const { slack } = running;
    await slack.slash('port close');
    const view = await slack.modal();
    expect(await suggestGroups(view, '7')).toEqual([]);
    expect(await suggestGroups(view, '31234')).toEqual([['Not in the list', ['~?31234']]]);
    await slack.act('close', { user: 'U0ALICE', view: view.id });
    await slack.slash('watch delete');
    expect(await suggestGroups(await slack.modal(), 'nothing')).toEqual([]);
  });

  test('stays chosen when the form changes', async () => {
    const { slack } = running;
    await slack.slash('snapshot restore');
    const view = await slack.modal();
    await suggestGroups(view, 'VPS-10077', 'vps');
    await slack.act('click', {
      user: 'U0ALICE',
      view: view.id,
      block_id: 'vps',
      action_id: 'remote',
      value: '~?VPS-10077',
    });
    await expect.poll(async () => blocksText(await slack.modal())).toContain('snapshot@');
    expect(blocksText(await slack.modal())).toContain('"value":"~?VPS-10077"');
  });
});
