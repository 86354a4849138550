import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ModalView } from '../../../stack.ts';
import { useStack } from '../../../use-stack.ts';
import { toSelectedOption } from './form-driver.ts';

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

const running = useStack();

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
});
