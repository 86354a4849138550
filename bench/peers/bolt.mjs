import { App } from '@slack/bolt';

// Bare Bolt. Acknowledges a direct message and answers it.
const app = new App({
  token: 'xoxb-bench',
  appToken: 'xapp-bench',
  socketMode: true,
  logLevel: 'error',
  clientOptions: { slackApiUrl: process.argv[2] },
});
app.message('help', async ({ say }) => {
  await say('Type a command.');
});
await app.start();
process.send('ready');
