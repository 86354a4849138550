import { expect, test } from 'vitest';
import { setUpPage } from '../fixture/page-fixture.ts';

const stage = setUpPage();
const { page, send, waitForText } = stage;

const open = () => page().getByRole('button', { name: 'Inspector', exact: true }).click();
const rows = () => page().getByRole('list', { name: 'Traffic, newest first' }).getByRole('listitem');
const row = (words: string | RegExp) => rows().filter({ hasText: words }).first().getByRole('button');
const detail = () => page().locator('.line-detail');
const tree = (name: string) => detail().getByRole('region', { name });

/** Calls a method of the Web API, as the app does. */
async function call(method: string, body: object): Promise<void> {
  await fetch(`${stage.url()}/api/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer xoxb-sandbox-acme' },
    body: JSON.stringify(body),
  });
}

const copied = () => page().evaluate<string>('navigator.clipboard.readText()');

test('payloads in both directions appear as they are sent, and each can be expanded', async () => {
  await open();
  await send('/page card');
  await row('/page card').click();

  await tree('Sent to the app').getByText('"/page"').waitFor();
  await detail().getByText('Acknowledgement only').waitFor();
  await detail()
    .getByText(/to the app · over connection \d+ · ack \d+ ms/)
    .waitFor();

  await row('chat.postMessage').click();
  await tree('Arguments').getByText('"VPS-10001 is running"').waitFor();
  await tree('Answered').getByText('true').first().waitFor();
});

test('related lines link to each other', async () => {
  await send('/page card');
  await page().getByRole('button', { name: 'Reboot' }).click();
  await page().getByRole('button', { name: 'Reboot Now' }).click();
  await waitForText('Rebooting');
  await open();
  await row('chat.update').click();
  await detail().getByText('the same message').first().waitFor();

  await detail().getByRole('button', { name: '→ block_actions' }).click();

  await detail().getByRole('heading', { name: 'block_actions' }).waitFor();
  await detail().getByRole('button', { name: '← chat.postMessage' }).waitFor();
});

test('what Slack refused is counted beside the Inspector until it is opened', async () => {
  const button = page().getByRole('button', { name: 'Inspector', exact: true });
  await call('chat.postMessage', { channel: 'C0NOWHERE', text: 'Hi' });
  await call('chat.postMessage', { channel: 'C0OPS', text: 'This one arrives' });
  await call('chat.delete', { channel: 'C0OPS', ts: '1.000000' });
  await button.getByText('2', { exact: true }).waitFor();
  expect(await button.getAttribute('aria-description')).toBe('2 refused');
  await open();
  await button.getByText('2', { exact: true }).waitFor({ state: 'detached' });
});

test('a rejected call shows why, where, and what to do', async () => {
  const text = 'x'.repeat(3001);
  await call('chat.postMessage', {
    channel: 'C0OPS',
    text: 'Hi',
    blocks: JSON.stringify([{ type: 'section', text: { type: 'mrkdwn', text } }]),
  });
  await open();
  await row('invalid_blocks').click();

  await detail().getByText('The blocks break a rule of Block Kit.').waitFor();
  await detail().getByText('/blocks/0/text/text', { exact: true }).waitFor();
  const marked = tree('Arguments').locator('.is-marked');
  await marked.waitFor();
  expect(await marked.innerText()).toContain('text: "xxx');
});

test('an acknowledgement that a fault delayed says so', async () => {
  await stage.post('faults', { fault: 'ack_delay:9000' });
  await open();
  await send('/page card');
  await row('/page card').click();
  await detail().getByText('waiting…').waitFor();
  await stage.post('clock', { advance_ms: 3000 });

  await detail().getByText('The fault ack_delay:9000 delayed the acknowledgement').waitFor();
  await detail().getByText('No acknowledgement').waitFor();
});

test('the list can be filtered by words, by kind, and for rejections', async () => {
  await call('chat.postMessage', { channel: 'C0OPS', text: 'needle' });
  await call('chat.postMessage', { channel: 'C0QUIET', text: 'hay' });
  await send('/page hello');
  await waitForText('You typed hello');
  await open();

  await page().getByRole('searchbox', { name: 'Search the traffic' }).fill('NEEDLE');
  await expect.poll(() => rows().count()).toBe(1);
  await page().getByRole('searchbox', { name: 'Search the traffic' }).fill('');
  await page().getByRole('combobox', { name: 'Kind' }).selectOption('Commands');
  await expect.poll(() => rows().allInnerTexts()).toEqual([expect.stringContaining('/page hello')]);
  await page().getByRole('combobox', { name: 'Kind' }).selectOption('Everything');
  await page().getByRole('checkbox', { name: 'Only refused' }).check();
  await expect.poll(() => rows().allInnerTexts()).toEqual([expect.stringContaining('not_in_channel')]);
});

test('the list does not change while paused, and starts empty after it is cleared', async () => {
  await call('api.test', { n: 'first' });
  await open();
  await row('api.test').waitFor();
  await page().getByRole('button', { name: 'Pause' }).click();
  await call('api.test', { n: 'second' });
  await page()
    .getByText(/^Paused: 1 new line/)
    .waitFor();
  expect(await rows().count()).toBe(1);

  await page().getByRole('button', { name: 'Pause' }).click();
  await expect.poll(() => rows().count()).toBe(2);
  await page().getByRole('button', { name: 'Clear' }).click();
  await page().getByText('Nothing matches.').waitFor();
  await call('api.test', { n: 'third' });
  await expect.poll(() => rows().count()).toBe(1);
});

test('a line can be copied as JSON, and a call as curl without a token', async () => {
  await call('chat.postMessage', { channel: 'C0OPS', text: "it's" });
  await open();
  await row('chat.postMessage').click();
  await detail().getByRole('button', { name: 'Copy as JSON' }).click();
  await detail().getByRole('button', { name: 'Copied' }).waitFor();
  expect(JSON.parse(await copied())).toMatchObject({ kind: 'chat.postMessage', payload: { text: "it's" } });

  await detail().getByRole('button', { name: 'Copy as curl' }).click();
  await expect.poll(copied).toContain(`curl -X POST '${stage.url()}/api/chat.postMessage'`);
  expect(await copied()).toContain(`--data-urlencode 'text=it'\\''s'`);
  expect(await copied()).toContain('$SLACK_BOT_TOKEN');
  expect(await copied()).not.toContain('xoxb');
});

test('the keyboard alone moves between lines, folds a tree and returns', async () => {
  await call('api.test', { n: 'first' });
  await call('api.test', { n: 'second' });
  await open();
  await row('api.test').focus();
  await page().keyboard.press('ArrowDown');
  await page().keyboard.press('Enter');
  await tree('Arguments').getByText('"first"').waitFor();
  await expect.poll(() => page().evaluate('document.activeElement.textContent')).toBe('api.test');

  const fold = tree('Arguments').getByRole('button', { name: /^object/ });
  await fold.focus();
  await page().keyboard.press('Enter');
  await expect.poll(() => tree('Arguments').getByText('"first"').count()).toBe(0);

  await page().keyboard.press('Escape');
  await expect.poll(() => detail().count()).toBe(0);
  await expect
    .poll(() => page().evaluate('document.activeElement.closest("li")?.className'))
    .toContain('line');
});

test('names and texts from outside are never rendered as markup', async () => {
  await call('chat.postMessage', { channel: 'C0OPS', text: '<img src=x onerror="document.title=1">' });
  await open();
  await row('chat.postMessage').click();
  await tree('Arguments').getByText('<img src=x').waitFor();
  expect(await detail().locator('img').count()).toBe(0);
});
