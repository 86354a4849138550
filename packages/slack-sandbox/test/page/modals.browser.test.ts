import { beforeEach, describe, expect, test } from 'vitest';
import { setUpPage } from './fixture/page-fixture.ts';

const { page, lastMessage, modal, send, waitForText } = setUpPage();

describe('a modal', () => {
  beforeEach(async () => {
    await send('/page form');
    await modal().waitFor();
  });

  test('loads options while a person types, shows an error beside its field, and posts the entered values', async () => {
    await modal().getByLabel('Domain').fill('taken.example.com');
    const menu = modal().getByRole('combobox', { name: 'VPS' });
    await menu.click();
    await modal().getByRole('option', { name: 'VPS-20001' }).waitFor();
    await menu.pressSequentially('10002');
    await modal().getByRole('option', { name: 'VPS-20001' }).waitFor({ state: 'detached' });
    await modal().getByRole('option', { name: 'VPS-10002' }).click();
    await modal().getByRole('button', { name: 'Create' }).click();

    await modal().getByText('This domain is taken.').waitFor();
    expect(await modal().getByLabel('Domain').getAttribute('aria-invalid')).toBe('true');
    expect(await page().evaluate('document.activeElement.value')).toBe('taken.example.com');

    await modal().getByLabel('Domain').fill('free.example.com');
    await modal().getByRole('button', { name: 'Create' }).click();

    await modal().waitFor({ state: 'detached' });
    await waitForText('@Alice Adams pointed free.example.com at VPS-10002');
  });

  test("shows what Slack's client itself rejects, before the app is asked", async () => {
    await modal().getByRole('button', { name: 'Create' }).click();

    await modal().getByText('Please complete this required field.').first().waitFor();
    expect(await modal().locator('[aria-invalid="true"]').count()).toBe(2);
  });

  test('can be stacked, and keeps the entered values of the lower view', async () => {
    await modal().getByLabel('Domain').fill('kept.example.com');
    await modal().getByRole('button', { name: 'Explain' }).click();

    await modal().getByRole('button', { name: 'Go Deeper' }).click();
    await modal().getByText('VPS are servers.').waitFor();
    await page().keyboard.press('Escape');
    await modal().getByText('A domain points at a VPS.').waitFor();
    await modal().getByRole('button', { name: 'Back' }).click();

    await modal().getByRole('heading', { name: 'New domain' }).waitFor();
    expect(await modal().getByLabel('Domain').inputValue()).toBe('kept.example.com');
  });

  test('is updated by a choice that is sent immediately, and keeps the entered values', async () => {
    await modal().getByLabel('Domain').fill('kept.example.com');
    await modal().getByRole('combobox', { name: 'Mode' }).click();
    await modal().getByRole('option', { name: 'balanced' }).click();

    await modal().getByText('It is spread over several VPS.').waitFor();
    expect(await modal().getByLabel('Domain').inputValue()).toBe('kept.example.com');
    expect(await modal().getByRole('combobox', { name: 'Mode' }).inputValue()).toBe('balanced');
    expect(await modal().getByRole('listbox').count()).toBe(0);
  });

  test('closes at Escape, and returns the focus to the composer', async () => {
    await modal().getByLabel('Domain').press('Escape');

    await modal().waitFor({ state: 'detached' });
    expect(await page().evaluate(`document.activeElement.matches('.composer textarea')`)).toBe(true);
  });

  test('keeps the keyboard focus inside, and is submitted by Ctrl+Enter', async () => {
    const isWithin = () => page().evaluate<boolean>(`document.activeElement.closest('dialog') !== null`);
    for (let pressed = 0; pressed < 12; pressed += 1) {
      await page().keyboard.press('Tab');
      // The browser's own bar is focused between the last element and the first.
      const isPage = await page().evaluate<boolean>('document.activeElement !== document.body');
      if (isPage) expect(await isWithin()).toBe(true);
    }
    await modal().getByLabel('Domain').press('Control+Enter');

    await modal().getByText('Please complete this required field.').first().waitFor();
  });
});

test("inputs of every kind are sent in Slack's format", async () => {
  await send('/page kinds');
  const fill = (label: string, text: string) => modal().getByLabel(label).fill(text);
  await fill('Number', '42');
  await fill('Email', 'a@example.com');
  await fill('Address', 'https://example.com');
  await fill('Text', 'one\ntwo');
  await fill('Rich', 'rich');
  await fill('Day', '2030-01-02');
  await fill('Time', '13:45');
  await fill('Moment', '2030-01-02T03:04');
  await modal().getByRole('combobox', { name: 'Person' }).fill('bob');
  await modal().getByRole('option', { name: 'Bob Brown' }).click();
  const channels = modal().getByRole('combobox', { name: 'Channels' });
  await channels.fill('ops');
  await channels.press('Enter');
  await channels.fill('gen');
  await channels.press('Enter');
  await modal().getByRole('button', { name: 'Remove red' }).click();
  const colors = modal().getByRole('combobox', { name: 'Colors' });
  await colors.fill('blue');
  await colors.press('Enter');
  // The list stays open for more choices, and can cover the next field until the focus leaves it.
  await colors.press('Tab');
  await modal().getByRole('group', { name: 'Boxes' }).getByLabel('green').check();
  await modal().getByRole('radiogroup', { name: 'Choice' }).getByLabel('blue').check();
  await modal().getByRole('button', { name: 'Send' }).click();

  await modal().waitFor({ state: 'detached' });
  await waitForText('number_input');
  const option = (value: string) => expect.objectContaining({ value });
  expect(JSON.parse(await lastMessage().locator('pre').innerText())).toEqual([
    { type: 'number_input', value: '42' },
    { type: 'email_text_input', value: 'a@example.com' },
    { type: 'url_text_input', value: 'https://example.com' },
    { type: 'plain_text_input', value: 'one\ntwo' },
    expect.objectContaining({
      type: 'rich_text_input',
      rich_text_value: expect.objectContaining({ type: 'rich_text' }),
    }),
    { type: 'datepicker', selected_date: '2030-01-02' },
    { type: 'timepicker', selected_time: '13:45' },
    // Alice is in Berlin.
    { type: 'datetimepicker', selected_date_time: Date.UTC(2030, 0, 2, 2, 4) / 1000 },
    { type: 'users_select', selected_user: 'U0BOB' },
    { type: 'multi_channels_select', selected_channels: ['C0OPS', 'C0GENERAL'] },
    { type: 'multi_static_select', selected_options: [option('blue')] },
    { type: 'checkboxes', selected_options: [option('green')] },
    { type: 'radio_buttons', selected_option: option('blue') },
  ]);
});
