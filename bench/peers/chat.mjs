import { createSlackAdapter } from '@chat-adapter/slack';
import { createMemoryState } from '@chat-adapter/state-memory';
import { Chat } from 'chat';

// Vercel's Chat SDK with its Slack adapter. Acknowledges a direct message and answers it.
const chat = new Chat({
  userName: 'bench',
  logger: 'error',
  state: createMemoryState(),
  adapters: {
    slack: createSlackAdapter({
      mode: 'socket',
      appToken: 'xapp-bench',
      botToken: 'xoxb-bench',
      apiUrl: process.argv[2],
    }),
  },
});
chat.onDirectMessage(async (thread) => {
  await thread.post('Type a command.');
});
await chat.initialize();
process.send('ready');
