import { describe, expect, test } from 'vitest';
import { setUpBlockKitPage } from './block-kit-fixture.ts';
import { inputBlock, plainTextInput } from './input-blocks.ts';

const { page, received, open, waitForAction, waitForSubmission } = setUpBlockKitPage();

type Fields = Record<string, unknown>;

describe('text', () => {
  test('is sent line by line as it was typed', async () => {
    const modal = await open([
      inputBlock('Name', plainTextInput()),
      inputBlock('Notes', plainTextInput({ multiline: true })),
      inputBlock('Port', { type: 'number_input', is_decimal_allowed: false }),
      inputBlock('Mail', { type: 'email_text_input' }),
      inputBlock('Address', { type: 'url_text_input' }),
      inputBlock('Left', plainTextInput({ initial_value: 'as it was' }), { optional: true }),
    ]);

    await modal.getByLabel('Name').fill('VPS <10001> & more');
    await modal.getByLabel('Notes').focus();
    await page().keyboard.type('one');
    await page().keyboard.press('Enter');
    await page().keyboard.type('two');
    await modal.getByLabel('Port').fill('22');
    await modal.getByLabel('Mail').fill('a@example.com');
    await modal.getByLabel('Address').fill('https://example.com');
    await page().keyboard.press('Enter');

    const typed = (value: string) => ({ it: expect.objectContaining({ value }) });
    expect(await waitForSubmission()).toEqual({
      Name: typed('VPS <10001> & more'),
      Notes: typed('one\ntwo'),
      Port: typed('22'),
      Mail: typed('a@example.com'),
      Address: typed('https://example.com'),
      Left: typed('as it was'),
    });
  });

  test('counts the remaining characters, and those that are missing', async () => {
    const modal = await open([inputBlock('Name', plainTextInput({ min_length: 3, max_length: 30 }))]);
    const name = modal.getByLabel('Name');

    await name.fill('ab');
    await modal.getByText('1 character more needed').waitFor();
    await name.fill('a'.repeat(25));
    await modal.getByText('5 characters left').waitFor();
    await name.fill('a'.repeat(31));
    await modal.getByText('1 character too many').waitFor();
    await modal.getByRole('button', { name: 'Send' }).click();
    await modal.getByText('Please enter at most 30 characters.').waitFor();
  });

  test('is sent at Enter or at each character, as the block requests', async () => {
    const dispatching = { dispatch_action: true };
    const typing = { dispatch_action_config: { trigger_actions_on: ['on_character_entered'] } };
    const modal = await open([
      inputBlock('Quiet', plainTextInput()),
      inputBlock('Enter', plainTextInput(), dispatching),
      inputBlock('Each', plainTextInput({ action_id: 'each', ...typing }), dispatching),
    ]);

    await modal.getByLabel('Quiet').fill('kept');
    await modal.getByLabel('Enter').fill('sent');
    expect(received.actions).toEqual([]);
    await modal.getByLabel('Enter').press('Enter');
    expect(await waitForAction('it')).toMatchObject({ block_id: 'Enter', value: 'sent' });
    await modal.getByLabel('Each').pressSequentially('abc');
    await expect.poll(() => received.actions.at(-1)).toMatchObject({ block_id: 'Each', value: 'abc' });
    expect(received.submissions).toEqual([]);

    await modal.getByLabel('Enter').fill('changed');
    await modal.getByRole('button', { name: 'Send' }).click();
    expect(await waitForSubmission()).toMatchObject({
      Quiet: { it: { value: 'kept' } },
      Enter: { it: { value: 'changed' } },
      Each: { each: { value: 'abc' } },
    });
  });

  test('with markup is sent as rich text, and restored as it was typed', async () => {
    const modal = await open([
      inputBlock('Rich', { type: 'rich_text_input' }),
      inputBlock('Filled', {
        type: 'rich_text_input',
        initial_value: {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'so', style: { bold: true } },
                { type: 'text', text: ' it is' },
              ],
            },
          ],
        },
      }),
    ]);
    const rich = modal.getByLabel('Rich');

    await rich.fill('now\nfirst');
    await rich.press('Control+a');
    await rich.press('Control+Home');
    await rich.press('Shift+End');
    await rich.press('Control+b');
    await rich.press('Control+End');
    await modal.getByRole('toolbar').first().getByRole('button', { name: 'Bulleted list' }).click();
    expect(await rich.inputValue()).toBe('*now*\n- first');
    expect(await modal.getByLabel('Filled').inputValue()).toBe('*so* it is');
    await modal.getByRole('button', { name: 'Send' }).click();

    const run = (words: string, style?: Fields) => ({ type: 'text', text: words, ...(style && { style }) });
    const section = (...elements: unknown[]) => ({ type: 'rich_text_section', elements });
    expect(await waitForSubmission()).toMatchObject({
      Rich: {
        it: {
          rich_text_value: {
            type: 'rich_text',
            elements: [
              section(run('now', { bold: true })),
              { type: 'rich_text_list', style: 'bullet', elements: [section(run('first'))] },
            ],
          },
        },
      },
    });
  });
});
