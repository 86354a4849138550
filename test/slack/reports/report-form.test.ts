import { afterEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../../jobs/clocks/manual-clock.ts';
import { blocksText, type ModalView } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';
import { runCommand } from '../command-driver.ts';
import {
  fillIn,
  listExchanges,
  listFields,
  listRejections,
  toTextValue,
} from '../modals/form/form-driver.ts';

/** Saturday, 21 November 2026, 06:30 in Berlin. */
const nowMs = Date.UTC(2026, 10, 21, 5, 30);

const running = useStack(() => ({ clock: createManualClock(nowMs) }));
afterEach(async () => {
  const refused = await listRejections(running.slack.url);
  expect(refused.filter((exchange) => exchange.refused !== 'not_in_channel')).toEqual([]);
});

const previewOf = (view: ModalView) =>
  blocksText({ blocks: view.blocks.filter(({ block_id }) => block_id === 'preview') });

const schedule = ['when', 'zone'];
const rest = ['post', 'thresholds', 'quiet', 'name'];

async function openForm(): Promise<ModalView> {
  await running.slack.slash('report add');
  return running.slack.modal();
}

describe('the form of report add', () => {
  test('opens with default values, and says when the report would be posted', async () => {
    const form = await openForm();
    expect(listFields(form)).toEqual([...schedule, 'channel', 'what', 'vps', ...rest]);
    expect(blocksText(form)).toContain('"initial_value":"Europe/Berlin"');
    expect(blocksText(form)).toContain('"initial_conversation":"C0OPS"');
    expect(blocksText(form)).toContain('cpu 90% 1h, memory 95% 1h, disk 90%, full in 7d');
    expect(previewOf(form)).toContain('Every day at 09:00, Europe/Berlin.');
    expect(previewOf(form)).toMatch(/Saturday 21 November 2026, 09:00.*Sunday 22.*Monday 23/);
    // Visible beside its fields, without scrolling.
    const places = form.blocks.map(({ block_id }) => block_id);
    expect(places[places.indexOf('preview') - 1]).toContain('zone');
  });

  test('shows the next three times of what is typed, or what is wrong with it', async () => {
    await openForm();
    const two = await fillIn(running, 'when', 'every tue thu 17:45');
    expect(previewOf(two)).toContain('Every Tuesday and Thursday at 17:45');
    expect(previewOf(two)).toMatch(/Tuesday 24 November 2026, 17:45.*Thursday 26.*Tuesday 1/);
    const wrong = await fillIn(running, 'when', 'every monday');
    expect(previewOf(wrong)).toContain('Give a time of day too, such as every monday 09:00');
    const once = await fillIn(running, 'when', 'tomorrow 17:45');
    expect(previewOf(once)).toContain('Once, on Sunday 22 November 2026, 17:45');
    await running.slack.submit(once, {});
    await running.slack.message(/^Report "Fleet, 2026-11-22 17:45" is scheduled$/);
    const list = blocksText(await runCommand(running, 'report list', /One report/));
    expect(list).toContain('Once, on Sunday 22 November 2026, 17:45, Europe/Berlin');
  });
});

test('the preview follows what is typed at most once a second, and ends with the last text', async () => {
  const form = await openForm();
  const block = form.blocks.find(({ block_id }) => block_id?.startsWith('when'));
  expect(block).toMatchObject({
    dispatch_action: true,
    element: {
      dispatch_action_config: { trigger_actions_on: expect.arrayContaining(['on_character_entered']) },
    },
  });
  const updates = async () =>
    (await listExchanges(running.slack.url)).filter(({ kind }) => kind === 'views.update').length;
  const before = await updates();
  const startedMs = performance.now();
  const typed = 'every tue 17:45';
  for (const end of typed.split('').keys())
    await running.slack.act('click', {
      user: 'U0ALICE',
      view: form.id,
      block_id: block?.block_id,
      action_id: 'value',
      value: typed.slice(0, end + 1),
    });
  await expect
    .poll(async () => previewOf(await running.slack.modal()))
    .toContain('Every Tuesday at 17:45, Europe/Berlin');
  const elapsedSeconds = (performance.now() - startedMs) / 1_000;
  expect((await updates()) - before).toBeLessThanOrEqual(1 + elapsedSeconds);
});

describe('an error in the form of report add', () => {
  test('is shown beside its field, and no value is lost', async () => {
    const form = await openForm();
    const sent = await running.slack.submit(form, {
      when: toTextValue('* * * * *'),
      thresholds: toTextValue('cpu 900%'),
      name: toTextValue('x'.repeat(61)),
    });
    expect(sent.errors).toMatchObject({
      thresholds: expect.stringContaining('such as cpu 90% 1h'),
      name: 'Use at most 60 characters',
    });
    const again = await running.slack.submit(form, {
      thresholds: toTextValue('cpu 80% 30m'),
      name: toTextValue('Every minute'),
      quiet: toTextValue('now and then'),
    });
    expect(again.errors).toMatchObject({ quiet: expect.stringContaining('Give quiet times such as') });
    const last = await running.slack.submit(form, { quiet: toTextValue('') });
    expect(last.errors).toEqual({ when: expect.stringContaining('The shortest interval is 15 minutes') });
    await running.slack.submit(form, { when: toTextValue('0 9 * * 1') });
    await running.slack.message(/^Report "Every minute" is scheduled$/);
  });
});
