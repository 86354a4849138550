import { expect, test } from 'vitest';
import { confirm, option, options, plain } from '../../block-kit/samples.ts';
import { setUpBlockKitPage } from './block-kit-fixture.ts';

const { page, received, post, waitForAction, setResponses } = setUpBlockKitPage();

const actions = (...elements: unknown[]) => [{ type: 'actions', block_id: 'row', elements }];
const chosen = (value: string) => expect.objectContaining({ value });

test('an overflow menu works by keyboard and mouse, and closes on a click outside', async () => {
  const message = await post(actions({ type: 'overflow', action_id: 'more', options: options(3) }));
  const more = message.getByRole('button', { name: 'More actions' });
  const menu = page().getByRole('menu');

  await more.focus();
  await page().keyboard.press('ArrowDown');
  await menu.waitFor();
  await page().keyboard.press('End');
  await page().keyboard.press('ArrowDown');
  await page().keyboard.press('ArrowDown');
  await page().keyboard.press('Enter');
  expect(await waitForAction('more')).toMatchObject({ selected_option: { value: '1' } });
  expect(await page().locator('button:focus').getAttribute('aria-label')).toBe('More actions');

  await more.click();
  await page().keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  expect(await page().locator('button:focus').getAttribute('aria-label')).toBe('More actions');

  await more.click();
  await message.locator('.kit-blocks').click({ position: { x: 500, y: 5 } });
  await menu.waitFor({ state: 'detached' });

  await more.click();
  await menu.getByRole('menuitem', { name: 'Option 2' }).click();
  await expect.poll(() => received.actions.at(-1)).toMatchObject({ selected_option: { value: '2' } });
});

test('a static select can be searched, and has groups and descriptions', async () => {
  const described = { ...option('b'), text: plain('Weekly'), description: plain('Every Monday') };
  const groups = [
    { label: plain('Short'), options: [{ ...option('a'), text: plain('Hourly') }] },
    { label: plain('Long'), options: [described, { ...option('c'), text: plain('Monthly') }] },
  ];
  const select = {
    type: 'static_select',
    action_id: 'period',
    placeholder: plain('Period'),
    option_groups: groups,
  };
  const message = await post(actions(select));
  const field = message.getByRole('combobox', { name: 'Period' });

  await field.click();
  await page()
    .getByRole('group', { name: 'Long' })
    .getByRole('option', { name: 'Weekly Every Monday' })
    .waitFor();
  expect(await page().getByRole('option').count()).toBe(3);
  await page().keyboard.type('monday');
  expect(await page().getByRole('option').count()).toBe(1);
  await page().keyboard.press('Enter');

  expect(await waitForAction('period')).toMatchObject({ selected_option: chosen('b') });
  expect(await field.inputValue()).toBe('Weekly');
  await field.fill('nothing of the kind');
  await page().getByText('No results').waitFor();
  await page().keyboard.press('Escape');
  expect(await field.inputValue()).toBe('Weekly');
  expect(received.actions).toHaveLength(1);
});

test('an external select asks the app for options once enough is typed, and shows errors', async () => {
  const select = {
    type: 'external_select',
    action_id: 'vps',
    placeholder: plain('VPS'),
    min_query_length: 2,
  };
  setResponses({ options: (text) => [{ label: `VPS-${text}`, value: text }] });
  const message = await post(actions(select));
  const field = message.getByRole('combobox', { name: 'VPS' });

  await field.click();
  await page().getByText('Type 2 or more characters').waitFor();
  await page().keyboard.type('10001');
  await page().getByRole('option', { name: 'VPS-10001' }).click();
  expect(await waitForAction('vps')).toMatchObject({
    selected_option: { value: '10001', text: plain('VPS-10001') },
  });
  // Slow typing sends requests in between. A single character sends none.
  expect(received.suggestQueries.at(-1)).toBe('10001');
  expect(received.suggestQueries.filter((text) => text.length < 2)).toEqual([]);

  setResponses({ options: () => [{ label: 'x'.repeat(80), value: 'x' }] });
  await field.fill('20001');
  await page()
    .getByText(/Slack rejects these options/)
    .waitFor();
});

test('people, channels and conversations are chosen by their names', async () => {
  const message = await post(
    actions(
      { type: 'users_select', action_id: 'who', placeholder: plain('Who') },
      { type: 'channels_select', action_id: 'where', placeholder: plain('Where') },
      {
        type: 'conversations_select',
        action_id: 'talk',
        placeholder: plain('Talk'),
        filter: { include: ['public'], exclude_external_shared_channels: true },
      },
    ),
  );

  await message.getByRole('combobox', { name: 'Who' }).fill('carol');
  await page().keyboard.press('Enter');
  expect(await waitForAction('who')).toMatchObject({ selected_user: 'U0CAROL' });
  await message.getByRole('combobox', { name: 'Where' }).fill('gen');
  await page().keyboard.press('Enter');
  expect(await waitForAction('where')).toMatchObject({ selected_channel: 'C0GENERAL' });
  await message.getByRole('combobox', { name: 'Talk' }).click();
  expect(await page().getByRole('option').allInnerTexts()).not.toContainEqual(expect.stringContaining('ops'));
  await page()
    .getByRole('option', { name: /general/ })
    .click();
  expect(await waitForAction('talk')).toMatchObject({ selected_conversation: 'C0GENERAL' });
});

test('several options can be chosen up to the maximum, and removed', async () => {
  const select = {
    type: 'multi_static_select',
    action_id: 'many',
    placeholder: plain('Several'),
    options: options(4),
    initial_options: [option('0')],
    max_selected_items: 2,
  };
  const message = await post(actions(select));
  const field = message.getByRole('combobox');
  const values = (...wanted: string[]) =>
    expect.poll(() => received.actions.at(-1)?.selected_options).toEqual(wanted.map(chosen));

  await field.click();
  await page().getByRole('option', { name: 'Option 2' }).click();
  await values('0', '2');
  await page().getByText('You can choose up to 2.').waitFor();
  await page().getByRole('option', { name: 'Option 3' }).click({ force: true });
  await page().keyboard.press('Escape');
  await message.getByRole('button', { name: 'Remove Option 0' }).click();
  await values('2');
  await field.press('Backspace');
  await values();
  expect(received.actions).toHaveLength(3);
});

test('a menu with a confirmation changes only when the person agrees', async () => {
  const select = {
    type: 'static_select',
    action_id: 'pick',
    placeholder: plain('Pick'),
    options: options(2),
    confirm: confirm(),
  };
  const message = await post(actions(select));
  const field = message.getByRole('combobox', { name: 'Pick' });

  await field.fill('option 1');
  await page().keyboard.press('Enter');
  await page().getByRole('button', { name: 'Keep' }).click();
  await expect.poll(() => field.inputValue()).toBe('');

  await field.fill('option 1');
  await page().keyboard.press('Enter');
  await page().getByRole('button', { name: 'Stop' }).click();
  await waitForAction('pick');
  expect(await field.inputValue()).toBe('Option 1');
});
