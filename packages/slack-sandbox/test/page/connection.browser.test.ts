import { expect, test } from 'vitest';
import { setUpPage } from './fixture/page-fixture.ts';

const { page, lastMessage, send, waitForText, post, modal } = setUpPage();

const appState = () => page().getByRole('status', { name: 'App' });

test('a dropped socket is shown, is reopened by the app, and then works as before', async () => {
  await appState().getByText('Pagetest: 1 socket').waitFor();
  await post('faults', { fault: 'drop_socket' });

  await appState().getByText('No app is connected').waitFor();
  await page().getByText('commands and buttons get no response').waitFor();
  await send('/page hello');
  await waitForText('/page failed with the error "dispatch_failed"');

  await appState().getByText('Pagetest: 1 socket').waitFor({ timeout: 60_000 });
  await page().getByText('commands and buttons get no response').waitFor({ state: 'detached' });
  await send('/page card');
  await waitForText('VPS-10001');
});

test('a late acknowledgement of a command is shown as in Slack', async () => {
  await post('faults', { fault: 'ack_delay:60000' });
  await send('/page hello');
  await post('clock', { advance_ms: 3000 });

  await waitForText('/page failed with the error "operation_timeout"');
  expect(await lastMessage().innerText()).toContain('Slackbot');
});

test('a form that cannot be submitted says so and can be submitted again', async () => {
  await send('/page kinds');
  await modal().waitFor();
  await post('faults', { fault: 'ack_delay:60000' });
  await modal().getByRole('button', { name: 'Send' }).click();
  await modal().and(page().locator('[aria-busy="true"]')).waitFor();
  await post('clock', { advance_ms: 3000 });
  await modal().getByText('We had some trouble connecting. Try again?').waitFor();

  await modal().getByRole('button', { name: 'Send' }).click();

  await modal().waitFor({ state: 'detached' });
});
