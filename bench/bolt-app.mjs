import { enableCompileCache, flushCompileCache } from 'node:module';

// The baseline: a Bolt app that only acks, started like `rackhand-app.ts`.
enableCompileCache();
const { App } = await import('@slack/bolt');
const [port = '0'] = process.argv.slice(2);
const app = new App({
  signingSecret: 'sandbox-signing-secret',
  authorize: async () => ({ botToken: 'xoxb-bench', botId: 'B0BENCH', botUserId: 'U0BENCH' }),
});
app.command('/vps', async ({ ack }) => ack());
await app.start({ port: Number(port), host: '127.0.0.1' });
console.log('ready');
flushCompileCache();
