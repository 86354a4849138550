import { describe, expect, test } from 'vitest';
import { mrkdwnText, option, options, plain } from '../../block-kit/samples.ts';
import { setUpBlockKitPage } from './block-kit-fixture.ts';
import { inputBlock, plainTextInput } from './input-blocks.ts';

const { page, received, open, publish, waitForAction, waitForSubmission, setResponses } = setUpBlockKitPage();

type Fields = Record<string, unknown>;

describe('choices', () => {
  test('of every kind are submitted with the form', async () => {
    setResponses({ options: (typed) => [{ label: `VPS-${typed}`, value: typed }] });
    const modal = await open([
      inputBlock('Period', { type: 'static_select', options: options(3) }),
      inputBlock('Server', { type: 'external_select', min_query_length: 1 }),
      inputBlock('Servers', { type: 'multi_external_select', min_query_length: 1 }),
      inputBlock('Owner', { type: 'users_select' }),
      inputBlock('Owners', { type: 'multi_users_select', initial_users: ['U0ALICE'] }),
      inputBlock('Channel', { type: 'channels_select' }),
      inputBlock('Channels', { type: 'multi_channels_select' }),
      inputBlock('Talk', { type: 'conversations_select' }),
      inputBlock('Talks', { type: 'multi_conversations_select' }),
      inputBlock('Boxes', { type: 'checkboxes', options: options(2) }),
      inputBlock('One', { type: 'radio_buttons', options: options(2) }),
      inputBlock('Day', { type: 'datepicker' }),
      inputBlock('Time', { type: 'timepicker', initial_time: '10:00' }),
      inputBlock('Moment', { type: 'datetimepicker' }),
    ]);
    const pick = async (name: string, typed: string) => {
      await modal.getByRole('combobox', { name, exact: true }).fill(typed);
      await page().getByRole('option').first().waitFor();
      await page().keyboard.press('Enter');
    };

    await pick('Period', 'option 2');
    await pick('Server', '10001');
    await pick('Servers', '1');
    await pick('Servers', '2');
    await pick('Owner', 'bob');
    await pick('Owners', 'carol');
    await pick('Channel', 'gen');
    await pick('Channels', 'ops');
    await pick('Talk', 'quiet');
    await pick('Talks', 'gen');
    await modal.getByRole('group', { name: 'Boxes' }).getByLabel('Option 1').check();
    await modal.getByRole('radiogroup', { name: 'One' }).getByLabel('Option 0').check();
    await modal.getByLabel('Day').fill('2030-01-02');
    await modal.getByLabel('Time').fill('');
    await modal.getByLabel('Time').fill('13:45');
    await modal.getByLabel('Moment').fill('2030-01-02T03:04');
    await modal.getByRole('button', { name: 'Send' }).click();

    const chosen = (value: string) => expect.objectContaining({ value });
    const holding = (state: Fields) => ({ it: expect.objectContaining(state) });
    expect(await waitForSubmission()).toEqual({
      Period: holding({ selected_option: chosen('2') }),
      Server: holding({ selected_option: { text: { ...plain('VPS-10001'), emoji: true }, value: '10001' } }),
      Servers: holding({ selected_options: [chosen('1'), chosen('2')] }),
      Owner: holding({ selected_user: 'U0BOB' }),
      Owners: holding({ selected_users: ['U0ALICE', 'U0CAROL'] }),
      Channel: holding({ selected_channel: 'C0GENERAL' }),
      Channels: holding({ selected_channels: ['C0OPS'] }),
      Talk: holding({ selected_conversation: 'C0QUIET' }),
      Talks: holding({ selected_conversations: ['C0GENERAL'] }),
      Boxes: holding({ selected_options: [chosen('1')] }),
      One: holding({ selected_option: chosen('0') }),
      Day: holding({ selected_date: '2030-01-02' }),
      Time: holding({ selected_time: '13:45' }),
      // Alice's clock is in Europe/Berlin.
      Moment: holding({ selected_date_time: Date.UTC(2030, 0, 2, 2, 4) / 1000 }),
    });
  });

  test('are removed by emptying the field, or with its cross', async () => {
    const modal = await open(
      ['Typed', 'Crossed'].map((name) =>
        inputBlock(
          name,
          { type: 'static_select', options: options(2), initial_option: option('1') },
          { optional: true },
        ),
      ),
    );

    await modal.getByLabel('Typed').click();
    await page().keyboard.press('Delete');
    await page().keyboard.press('Tab');
    await modal.getByRole('button', { name: 'Clear selection' }).click();
    await modal.getByRole('button', { name: 'Send' }).click();

    expect(await waitForSubmission()).toMatchObject({
      Typed: { it: { selected_option: null } },
      Crossed: { it: { selected_option: null } },
    });
  });
});

test('errors are shown beside their fields, and the first of these has the focus', async () => {
  setResponses({ submission: { errors: { Second: 'This name is taken.' } } });
  const modal = await open([
    inputBlock('First', plainTextInput(), { optional: true, hint: plain('Anything') }),
    inputBlock('Second', plainTextInput(), { hint: plain('A name') }),
    inputBlock('Third', { type: 'static_select', options: options(2) }),
  ]);
  await modal.getByRole('button', { name: 'Send' }).click();

  await modal.getByText('Please complete this required field.').first().waitFor();
  expect(await modal.getByText('Please complete this required field.').count()).toBe(2);
  expect(await page().locator(':focus').getAttribute('aria-invalid')).toBe('true');
  expect(await modal.getByLabel('Second').getAttribute('aria-invalid')).toBe('true');
  expect(await modal.getByLabel('First').getAttribute('aria-invalid')).toBe(null);

  await page().keyboard.type('taken');
  await modal.getByLabel('Third').fill('option 1');
  await page().keyboard.press('Enter');
  await modal.getByRole('button', { name: 'Send' }).click();
  await modal.getByText('This name is taken.').waitFor();
  const described = await modal.getByLabel('Second').getAttribute('aria-describedby');
  const texts = await Promise.all(
    (described ?? '').split(' ').map((id) => page().locator(`[id="${id}"]`).innerText()),
  );
  expect(texts).toEqual(['A name', 'This name is taken.']);
  expect(await page().locator(':focus').inputValue()).toBe('taken');
});

test('the field that requests the focus has it when its modal opens', async () => {
  await open([
    inputBlock('First', plainTextInput()),
    inputBlock('Second', plainTextInput({ focus_on_load: true })),
  ]);

  await expect.poll(() => page().locator(':focus').getAttribute('id')).not.toBe(null);
  await page().keyboard.type('typed at once');
  expect(await page().getByLabel('Second').inputValue()).toBe('typed at once');
});

test('Escape closes a menu before it closes the form', async () => {
  const modal = await open([inputBlock('Period', { type: 'static_select', options: options(3) })]);

  await modal.getByLabel('Period').click();
  await page().getByRole('listbox').waitFor();
  await page().keyboard.press('Escape');
  await page().getByRole('listbox').waitFor({ state: 'detached' });
  expect(await modal.isVisible()).toBe(true);
  await page().keyboard.press('Escape');
  await modal.waitFor({ state: 'detached' });
});

test('using an element of a form sends all values to the app', async () => {
  const alert = { type: 'alert', level: 'warning', text: mrkdwnText('This *stops* it') };
  const row = { type: 'actions', elements: [{ type: 'button', action_id: 'check', text: plain('Check') }] };
  const modal = await open([alert, inputBlock('Name', plainTextInput()), row]);
  await modal.getByRole('img', { name: 'Warning' }).waitFor();

  await modal.getByLabel('Name').fill('VPS-10001');
  await modal.getByRole('button', { name: 'Check' }).click();
  await waitForAction('check');

  expect(received.states.at(-1)).toMatchObject({ Name: { it: { value: 'VPS-10001' } } });
});

test('a Home tab has inputs and menus that take effect immediately', async () => {
  const home = await publish([
    inputBlock('Search', plainTextInput(), { dispatch_action: true }),
    { type: 'actions', elements: [{ type: 'static_select', action_id: 'period', options: options(2) }] },
  ]);

  await home.getByLabel('Search').fill('VPS');
  await home.getByLabel('Search').press('Enter');
  expect(await waitForAction('it')).toMatchObject({ value: 'VPS' });
  await home.getByRole('combobox').fill('option 1');
  await page().keyboard.press('Enter');
  expect(await waitForAction('period')).toMatchObject({ selected_option: { value: '1' } });
});
