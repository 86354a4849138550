import { describe, expect, test } from 'vitest';
import { findSeriousViolations, listDuplicateLandmarks } from './fixture/axe-findings.ts';
import { setUpPage } from './fixture/page-fixture.ts';

const { page, composer, messages, lastMessage, modal, send, waitForText } = setUpPage();

describe.each(['light', 'dark'] as const)('in %s colors axe finds nothing serious', (colorScheme) => {
  test('on a channel with a thread, a menu and completions', async () => {
    await page().emulateMedia({ colorScheme });
    await send('/page hello');
    await send('/page card');
    await waitForText('VPS-10001');
    await send('@pagetest hello');
    await lastMessage().getByRole('button', { name: '1 reply' }).click();
    await page().getByRole('log', { name: 'Thread' }).getByText('I read:').waitFor();
    expect(await findSeriousViolations(page())).toEqual([]);

    await composer().fill('/');
    await page().getByRole('listbox').waitFor();
    expect(await findSeriousViolations(page())).toEqual([]);

    await page()
      .getByRole('button', { name: /^You are/ })
      .click();
    expect(await findSeriousViolations(page())).toEqual([]);
  });

  test('in a modal, also with errors', async () => {
    await page().emulateMedia({ colorScheme });
    await send('/page kinds');
    await modal().waitFor();
    expect(await findSeriousViolations(page())).toEqual([]);
    await page().keyboard.press('Escape');
    await modal().waitFor({ state: 'detached' });

    await send('/page form');
    await modal().getByRole('button', { name: 'Create' }).click();
    await modal().getByText('Please complete this required field.').first().waitFor();
    expect(await findSeriousViolations(page())).toEqual([]);
  });

  test('on the Home tab, the quick switcher and the phone', async () => {
    await page().emulateMedia({ colorScheme });
    await page().getByRole('link', { name: 'Pagetest' }).click();
    await page().getByText('Your fleet').waitFor();
    expect(await findSeriousViolations(page())).toEqual([]);
    await page().keyboard.press('Control+k');
    await modal().waitFor();
    expect(await findSeriousViolations(page())).toEqual([]);
    await page().keyboard.press('Escape');

    await page().setViewportSize({ width: 390, height: 844 });
    expect(await findSeriousViolations(page())).toEqual([]);
    await page().keyboard.press('?');
    await modal().waitFor();
    expect(await findSeriousViolations(page())).toEqual([]);
    await page().keyboard.press('Escape');
    await page().getByRole('button', { name: 'Conversations' }).click();
    expect(await findSeriousViolations(page())).toEqual([]);
  });
});

test('the keyboard alone sends a command, presses its button, confirms, and fills in a form', async () => {
  const { keyboard } = page();
  const until = async (key: string, isThere: () => Promise<boolean>) => {
    for (let pressed = 0; pressed < 60; pressed += 1) {
      if (await isThere()) return;
      await keyboard.press(key);
    }
    throw new Error(`${key} does not lead there`);
  };
  const isComposing = () =>
    page().evaluate<boolean>(`document.activeElement.matches('.conversation textarea')`);
  const isFocused = (name: string) => async () =>
    page().evaluate<boolean>(
      `(document.activeElement.innerText || document.activeElement.ariaLabel || '').trim() === ${JSON.stringify(name)}`,
    );

  await keyboard.press('F6');
  await until('F6', isComposing);
  await keyboard.type('/pa');
  await keyboard.press('Tab');
  await keyboard.type('card');
  await keyboard.press('Enter');
  await waitForText('VPS-10001');

  await until('Shift+Tab', isFocused('Reboot'));
  await keyboard.press('Enter');
  await modal().waitFor();
  await until('Tab', isFocused('Reboot Now'));
  await keyboard.press('Enter');
  await waitForText('Rebooting for @Alice Adams');

  await until('Shift+F6', isComposing);
  await keyboard.type('/page form');
  await keyboard.press('Enter');
  await modal().waitFor();
  await keyboard.type('keys.example.com');
  await keyboard.press('Tab');
  await keyboard.type('20001');
  await page().getByRole('option', { name: 'VPS-20001' }).waitFor();
  await keyboard.press('Enter');
  await keyboard.press('Control+Enter');

  await modal().waitFor({ state: 'detached' });
  await waitForText('@Alice Adams pointed keys.example.com at VPS-20001');
  expect(await isComposing()).toBe(true);
});

test("arrow keys move between messages, and letters open a message's thread and menu", async () => {
  for (const text of ['one', 'two', 'three']) {
    await send(text);
    await waitForText(text);
  }
  await composer().press('Shift+Tab');
  const focused = () => page().evaluate<string>('document.activeElement.innerText');
  for (let back = 0; back < 8 && !(await focused()).includes('three'); back += 1)
    await page().keyboard.press('Shift+Tab');
  expect(await focused()).toContain('three');
  await page().keyboard.press('ArrowUp');
  expect(await focused()).toContain('two');
  await page().keyboard.press('Home');
  expect(await focused()).toContain('one');

  await page().keyboard.press('m');
  await expect.poll(focused).toContain('Keep this');
  await page().keyboard.press('Escape');
  await expect.poll(focused).toContain('one');
  await page().keyboard.press('t');

  await page().getByRole('log', { name: 'Thread' }).getByText('one').waitFor();
  expect(await messages().count()).toBe(3);
});

test('landmarks have unique names, also with two tables, a thread and the workbench', async () => {
  await send('/page card');
  await send('/page card');
  await expect.poll(() => messages().getByRole('table').count()).toBe(2);
  await send('@pagetest hello');
  await lastMessage().getByRole('button', { name: '1 reply' }).click();
  for (const panel of ['Faults', 'Inspector']) {
    await page().getByRole('button', { name: panel, exact: true }).click();
    await page().getByRole('tab', { name: panel, selected: true }).waitFor();
    expect(await listDuplicateLandmarks(page())).toEqual([]);
  }
});

test('messages that arrive while a person types are announced', async () => {
  await send('/page hello');

  await page().getByText('Pagetest: You typed hello', { exact: true }).waitFor({ state: 'attached' });
});
