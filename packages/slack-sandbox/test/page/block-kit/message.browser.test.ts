import { expect, test } from 'vitest';
import { button, confirm, mrkdwnText, option, options, plain } from '../../block-kit/samples.ts';
import { setUpBlockKitPage } from './block-kit-fixture.ts';

const { page, received, post, waitForAction, setResponses } = setUpBlockKitPage();

const actions = (...elements: unknown[]) => [{ type: 'actions', block_id: 'row', elements }];
const chosen = (value: string) => expect.objectContaining({ value });

test('a button sends its value, and is busy until the app has acknowledged it', async () => {
  const gate = Promise.withResolvers<void>();
  setResponses({ acknowledgement: gate.promise });
  const message = await post(
    actions(button({ value: 'VPS-10001', accessibility_label: 'Reboot VPS-10001' })),
  );
  const shown = message.getByRole('button', { name: 'Reboot VPS-10001' });

  await shown.click();
  expect(await waitForAction('reboot')).toMatchObject({
    type: 'button',
    block_id: 'row',
    value: 'VPS-10001',
  });
  expect(await shown.getAttribute('aria-busy')).toBe('true');
  await shown.click({ force: true });
  gate.resolve();

  await message.locator('button[aria-busy="false"]').waitFor();
  expect(received.actions).toHaveLength(1);
});

test('a confirmation keeps the focus, closes at Escape, and continues when it is accepted', async () => {
  const message = await post(actions(button({ confirm: confirm({ style: 'danger' }) })));
  const shown = message.getByRole('button', { name: 'Reboot' });
  await shown.press('Enter');
  const dialog = page().getByRole('dialog', { name: 'Sure?' });
  await dialog.getByText('This stops it').waitFor();
  for (let presses = 0; presses < 4; presses += 1) {
    await page().keyboard.press('Tab');
    expect(await page().locator('.message :focus, .sidebar :focus').count()).toBe(0);
  }

  await page().keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await page().locator('button:focus').innerText()).toBe('Reboot');
  expect(received.actions).toEqual([]);

  await shown.press('Enter');
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await waitForAction('reboot');
});

test('a button with a URL opens it in another tab, and the app is notified', async () => {
  const message = await post(actions(button({ url: 'https://example.com/docs' })));
  await page()
    .context()
    .route('https://example.com/**', (route) => route.fulfill({ body: 'Docs' }));

  const opening = page().context().waitForEvent('page');
  await message.getByRole('button', { name: 'Reboot' }).click();

  expect((await opening).url()).toBe('https://example.com/docs');
  await waitForAction('reboot');
});

test('an error of the app is shown beside the element', async () => {
  const message = await post(actions(button()));
  await fetch(`${new URL(page().url()).origin}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fault: 'ack_delay:3500' }),
  });

  await message.getByRole('button', { name: 'Reboot' }).click();

  expect(await message.getByRole('alert').innerText()).not.toBe('');
});

test("dates, times and datetimes are sent in Slack's format", async () => {
  const message = await post(
    actions(
      { type: 'datepicker', action_id: 'day', placeholder: plain('Day') },
      { type: 'timepicker', action_id: 'time', placeholder: plain('Time'), timezone: 'Europe/Paris' },
      { type: 'datetimepicker', action_id: 'moment' },
    ),
  );

  await message.getByLabel('Day').focus();
  await page().keyboard.type('12312030');
  expect(received.actions).toEqual([]);
  await page().keyboard.press('Enter');
  expect(await waitForAction('day')).toMatchObject({ selected_date: '2030-12-31' });
  await message.getByLabel('Time', { exact: true }).fill('13:45');
  expect(await waitForAction('time')).toMatchObject({ selected_time: '13:45' });
  await message.getByText('Europe/Paris').waitFor();
  // Alice's clock is in Europe/Berlin.
  await message.getByLabel('Choose a date and time').fill('2030-07-01T10:00');
  expect(await waitForAction('moment')).toMatchObject({ selected_date_time: Date.UTC(2030, 6, 1, 8) / 1000 });
});

test('checkboxes and radio buttons send what is chosen', async () => {
  const message = await post(
    actions(
      { type: 'checkboxes', action_id: 'boxes', options: options(3), initial_options: [option('0')] },
      {
        type: 'radio_buttons',
        action_id: 'one',
        options: [{ ...option('x'), description: mrkdwnText('_slow_') }, option('y')],
      },
    ),
  );

  await message.getByRole('checkbox', { name: 'Option 2' }).check();
  expect(await waitForAction('boxes')).toMatchObject({ selected_options: [chosen('0'), chosen('2')] });
  await message.getByRole('radio', { name: 'Option y' }).check();
  expect(await waitForAction('one')).toMatchObject({ selected_option: chosen('y') });
  await message.locator('em', { hasText: 'slow' }).waitFor();
});

test('feedback and icon buttons work, and an icon button is shown only to its audience', async () => {
  const icon = (id: string, viewer: string) => ({
    type: 'icon_button',
    icon: 'trash',
    text: plain(`Delete for ${viewer}`),
    action_id: id,
    value: id,
    visible_to_user_ids: [viewer],
  });
  const feedback = {
    type: 'feedback_buttons',
    action_id: 'feedback',
    positive_button: { text: plain('Good'), value: 'good' },
    negative_button: { text: plain('Bad'), value: 'bad', accessibility_label: 'A bad answer' },
  };
  const message = await post([
    { type: 'context_actions', elements: [feedback, icon('hers', 'U0ALICE'), icon('his', 'U0BOB')] },
  ]);

  await message.getByRole('button', { name: 'A bad answer' }).click();
  expect(await waitForAction('feedback')).toMatchObject({ value: 'bad' });
  await message.getByRole('button', { name: 'Delete for U0ALICE' }).click();
  expect(await waitForAction('hers')).toMatchObject({ value: 'hers' });
  expect(await message.getByRole('button', { name: 'Delete for U0BOB' }).count()).toBe(0);
});
