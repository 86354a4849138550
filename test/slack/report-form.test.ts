import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../reports/schedule/manual-clock.ts';
import { type ModalView, type RunningStack, startStack, textOf } from '../stack.ts';
import { chosenOption, refusalsOf, typedValue } from './form-acts.ts';
import { ask } from './history-acts.ts';

const user = 'U0ALICE';

/** Saturday, 21 November 2026, 06:30 in Berlin. */
const nowMs = Date.UTC(2026, 10, 21, 5, 30);

let running: RunningStack;
beforeEach(async () => {
  running = await startStack({ clock: createManualClock(nowMs) });
});
afterEach(async () => {
  const refused = await refusalsOf(running.slack.url);
  expect(refused.filter((exchange) => exchange.refused !== 'not_in_channel')).toEqual([]);
  await running.close();
});

const option = (value: string) => ({
  value: { type: 'static_select', selected_option: { text: { type: 'plain_text', text: value }, value } },
});

const fieldsOf = ({ blocks }: ModalView) =>
  blocks.flatMap(({ type, block_id = '' }) => (type === 'input' ? [block_id.replace(/@\d+$/, '')] : []));

const previewOf = (view: ModalView) =>
  textOf({ blocks: view.blocks.filter(({ block_id }) => block_id === 'preview') });

const schedule = ['every', 'at', 'zone'];
const rest = ['post', 'thresholds', 'quiet', 'name'];

async function openForm(words = ''): Promise<ModalView> {
  await running.slack.slash(`report add ${words}`.trim());
  return running.slack.modal();
}

/** Chooses, or writes and presses enter, and waits until the form has followed. */
async function give(view: ModalView, block_id: string, value: string): Promise<ModalView> {
  await running.slack.act('click', { user, view: view.id, block_id, action_id: 'value', value });
  await expect.poll(async () => (await running.slack.modal()).hash, { timeout: 5_000 }).not.toBe(view.hash);
  return running.slack.modal();
}

describe('the form of report add', () => {
  test('opens with what is usual filled in, and says when that comes', async () => {
    const form = await openForm();
    expect(fieldsOf(form)).toEqual([...schedule, 'channel', 'what', 'vps', ...rest]);
    expect(textOf(form)).toContain('"initial_value":"Europe/Berlin"');
    expect(textOf(form)).toContain('"initial_conversation":"C0OPS"');
    expect(textOf(form)).toContain('cpu 90% 1h, memory 95% 1h, disk 90%, full in 7d');
    expect(textOf(form)).toContain('"text":"Monday to Friday"');
    expect(previewOf(form)).toContain('Every day at 09:00, Europe/Berlin.');
    expect(previewOf(form)).toMatch(/Saturday 21 November 2026, 09:00.*Sunday 22.*Monday 23/);
    // Seen beside what it is made of, without a turn of the wheel.
    const places = form.blocks.map(({ block_id }) => block_id);
    expect(places[places.indexOf('preview') - 1]).toContain('zone');
  });

  test('has the fields that are meant, as one chooses, and keeps what was written in the others', async () => {
    const weekly = await give(await openForm(), 'every', 'weekly');
    expect(fieldsOf(weekly).slice(0, 4)).toEqual(['every', 'days', 'at', 'zone']);
    expect(previewOf(weekly)).toContain('Every Monday at 09:00');
    const two = await give(weekly, 'days', 'tue thu');
    expect(previewOf(two)).toContain('Every Tuesday and Thursday at 09:00');

    const cron = await give(two, 'every', 'cron');
    expect(fieldsOf(cron).slice(0, 3)).toEqual(['every', 'cron', 'zone']);
    expect(previewOf(cron)).toContain('A cron expression has five parts');
    const quarter = await give(cron, 'cron', '0 */6 * * *');
    expect(previewOf(quarter)).toContain('As cron understands 0 */6 * * *');

    const again = await give(quarter, 'every', 'weekly');
    expect(previewOf(again)).toContain('Every Tuesday and Thursday at 09:00');
    const late = await give(again, 'at', '17:45');
    expect(previewOf(late)).toContain('Tuesday 24 November 2026, 17:45');
    await running.slack.submit(late, {});
    await running.slack.message(/^The report "Fleet, weekly" is planned$/);
    const list = textOf(await ask(running, 'report list', /One report/));
    expect(list).toContain('Every Tuesday and Thursday at 17:45, Europe/Berlin');
  });

  test('says why what is written is no schedule yet', async () => {
    const form = await openForm('--day 31');
    expect(previewOf(form)).toContain('On the last day of every month at 09:00');
    expect(previewOf(await give(form, 'at', '25:00'))).toContain('A time is hours and minutes');
    const lost = await give(await running.slack.modal(), 'zone', 'Europe/Berln');
    expect(previewOf(lost)).toContain('did you mean Europe/Berlin');
  });

  test('asks for the VPS where it is to be about one, and plans that', async () => {
    const form = await openForm();
    const deep = await give(form, 'what', 'vps');
    expect(fieldsOf(deep)).toEqual([...schedule, 'channel', 'what', 'about', ...rest]);
    expect(await running.slack.submit(deep, {})).toMatchObject({
      errors: { about: expect.stringContaining('required') },
    });
    await running.slack.submit(deep, { about: chosenOption('VPS-10004') });
    await running.slack.message(/^The report "VPS-10004, daily" is planned$/);
  });

  test('comes back with what is still to be asked where it is sent before it could follow', async () => {
    const form = await openForm();
    expect(await running.slack.submit(form, { every: option('monthly') })).toMatchObject({
      response_action: 'update',
    });
    const asked = await running.slack.modal();
    expect(asked.id).toBe(form.id);
    await running.slack.submit(asked, { day: typedValue('31'), zone: typedValue('Europe/Berlin') });
    await running.slack.message(/^The report "Fleet, monthly" is planned$/);
    const text = textOf(await ask(running, 'report list', /One report/));
    expect(text).toContain('On the last day of every month at 09:00, Europe/Berlin');
  });

  test('opens after a mention by a button, filled with what was typed', async () => {
    await running.slack.mention('report add --cron "0 9 * * 1"');
    const offer = await running.slack.message(/form asks for what is missing/);
    expect(await running.slack.openModals()).toEqual([]);
    await running.slack.click(offer, 'step:0');
    const form = await running.slack.modal();
    expect(fieldsOf(form).slice(0, 2)).toEqual(['every', 'cron']);
    expect(previewOf(form)).toMatch(/Monday 23 November 2026, 09:00/);
  });
});

describe('what is wrong in the form of report add', () => {
  test('stands beside its field, and nothing is lost', async () => {
    const form = await give(await openForm(), 'every', 'cron');
    const sent = await running.slack.submit(form, {
      cron: typedValue('* * * * *'),
      thresholds: typedValue('cpu 900%'),
      name: typedValue('x'.repeat(61)),
    });
    expect(sent.errors).toMatchObject({
      thresholds: expect.stringContaining('as in cpu 90% 1h'),
      name: 'A name has at most 60 characters',
    });
    const again = await running.slack.submit(form, {
      thresholds: typedValue('cpu 80% 30m'),
      name: typedValue('Every minute'),
      quiet: typedValue('now and then'),
    });
    expect(again.errors).toMatchObject({ quiet: expect.stringContaining('Quiet times look like') });
    const last = await running.slack.submit(form, { quiet: typedValue('') });
    expect(last.errors).toEqual({ cron: expect.stringContaining('more often than every 15 minutes') });
    await running.slack.submit(form, { cron: typedValue('0 9 * * 1') });
    await running.slack.message(/^The report "Every minute" is planned$/);
  });

  test('is found where only a look can tell: a name that is taken, a pattern of nothing, a channel that is missing', async () => {
    await ask(running, 'report add daily --name Fleet', /is planned/);
    const form = await openForm();
    const sent = await running.slack.submit(form, { name: typedValue('Fleet') });
    expect(sent.errors).toEqual({ name: 'There is a report called "Fleet" already' });
    const again = await running.slack.submit(form, { name: typedValue('Other'), vps: typedValue('VPS-9*') });
    expect(again.errors).toEqual({ vps: 'No VPS is called like VPS-9*' });
  });

  test('is said afterwards where the service is slow, with the form filled as it was', async () => {
    const form = await openForm();
    await running.service.fault('slow:2500', { times: 1, path: '/v1/vps' });
    const sent = await running.slack.submit(form, { vps: typedValue('VPS-9*') });
    expect(sent.errors).toBeUndefined();
    const told = await running.slack.message(/No VPS is called like VPS-9\*/);
    await running.slack.click(told, 'step:0');
    expect(textOf(await running.slack.modal())).toContain('"initial_value":"VPS-9*"');
  });

  test('is a channel that the app is not in: it is told how to invite it', async () => {
    const form = await openForm();
    const chosen = { value: { type: 'conversations_select', selected_conversation: 'C0QUIET' } };
    await running.slack.submit(form, { channel: chosen });
    await running.slack.message(/Type \/invite @Rackhand in it/);
    await ask(running, 'report list', /No reports are planned/);
  });

  test.each([
    ['daily --days mon', /--days is for reports that come weekly/],
    ['cron 09:00 --cron "0 9 * * 1"', /cron expression has its own times/],
    ['daily --about VPS-10001 --vps VPS-1*', /about one VPS/],
    ['daily --what vps', /Choose the VPS/],
    ['daily --about VPS-99999', /no VPS called VPS-99999/],
    ['daily --thresholds "heat 90%"', /is no threshold/],
  ])('is said of typed words too: %s', async (words, problem) => {
    await ask(running, `report add ${words}`, problem);
    await ask(running, 'report list', /No reports are planned/);
  });
});
