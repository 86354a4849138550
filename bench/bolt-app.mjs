import { enableCompileCache, flushCompileCache } from 'node:module';

// The baseline: a Bolt app that only acks, started like `rackhand-app.ts`. With `answer` as its last
// argument, it also answers each command with a line of text.
enableCompileCache();
const { App } = await import('@slack/bolt');
const [port = '0', ...others] = process.argv.slice(2);
const isAnswering = others.at(-1) === 'answer';
const app = new App({
  signingSecret: 'sandbox-signing-secret',
  authorize: async () => ({ botToken: 'xoxb-bench', botId: 'B0BENCH', botUserId: 'U0BENCH' }),
});
app.command('/vps', async ({ ack, respond }) => {
  await ack();
  if (isAnswering) await respond('12 VPS: 9 running, 3 stopped');
});
await app.start({ port: Number(port), host: '127.0.0.1' });
console.log('ready');
flushCompileCache();
