import { expect, test } from 'vitest';
import { stagePage } from './page-stage.ts';

const { page, last, type, shows, post, modal } = stagePage();

const appState = () => page().getByRole('status', { name: 'App' });

test('a dropped socket is seen, is opened again by the app, and then answers as before', async () => {
  await appState().getByText('Pagetest: 1 socket').waitFor();
  await post('faults', { fault: 'drop_socket' });

  await appState().getByText('No app is connected').waitFor();
  await page().getByText('nobody answers commands and buttons').waitFor();
  await type('/page hello');
  await shows('/page failed with the error "dispatch_failed"');

  await appState().getByText('Pagetest: 1 socket').waitFor({ timeout: 15_000 });
  await page().getByText('nobody answers commands and buttons').waitFor({ state: 'detached' });
  await type('/page card');
  await shows('VPS-10001');
}, 40_000);

test('a command that is acknowledged too late is told as Slack does', async () => {
  await post('faults', { fault: 'ack_delay:60000' });
  await type('/page hello');
  await post('clock', { advance_ms: 3000 });

  await shows('/page failed with the error "operation_timeout"');
  expect(await last().innerText()).toContain('Slackbot');
});

test('a form that cannot be handed over says so and can be sent again', async () => {
  await type('/page kinds');
  await modal().waitFor();
  await post('faults', { fault: 'ack_delay:60000' });
  await modal().getByRole('button', { name: 'Send' }).click();
  await modal().and(page().locator('[aria-busy="true"]')).waitFor();
  await post('clock', { advance_ms: 3000 });
  await modal().getByText('We had some trouble connecting. Try again?').waitFor();

  await modal().getByRole('button', { name: 'Send' }).click();

  await modal().waitFor({ state: 'detached' });
});
