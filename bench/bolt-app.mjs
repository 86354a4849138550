import { App } from '@slack/bolt';

// The baseline: a Bolt app that only acks.
const app = new App({
  signingSecret: 'sandbox-signing-secret',
  authorize: async () => ({ botToken: 'xoxb-bench', botId: 'B0BENCH', botUserId: 'U0BENCH' }),
});
app.command('/vps', ({ ack }) => ack());
await app.start({ port: Number(process.argv[2]), host: '127.0.0.1' });
console.log('ready');
