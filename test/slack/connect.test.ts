import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningStack, type SlackMessage, startStack } from '../stack.ts';

let running: RunningStack;

beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

const gwen = { user: 'U0GWEN', channel: 'C0GLOBEX', team: 'T0GLOBEX' };
const alice = { user: 'U0ALICE', channel: 'C0OPS', team: 'T0ACME' };

interface Person {
  readonly user: string;
  readonly channel: string;
  readonly team: string;
}

/** Looks at what stands in front of a person. */
function inFrontOf({ user, channel, team }: Person) {
  const top = async () => (await running.slack.openModals(user, team)).at(-1);
  const text = async () => JSON.stringify((await top()) ?? null);
  return {
    text,
    shows: (words: string | RegExp) => expect.poll(text).toMatch(words),
    async type(command: string) {
      await running.slack.slash(command, { user, channel, team });
    },
    async send(apiKey: string, limit?: string) {
      await expect.poll(text).toContain('api_key');
      const view = (await top())?.id;
      const field = (value: string) => ({ value: { type: 'plain_text_input', value } });
      const values = { api_key: field(apiKey), ...(limit !== undefined && { limit: field(limit) }) };
      return running.slack.act('submit', { team, user, view, values });
    },
    async press() {
      const view = (await top())?.id;
      return running.slack.act('submit', { team, user, view, values: {} });
    },
    says: (words: string): Promise<SlackMessage> => running.slack.message(words, channel, user, team),
  };
}

describe('connect', () => {
  test('lets a workspace without a key use the service, and says what the key may do', async () => {
    const person = inFrontOf(gwen);
    await person.type('list');
    await person.says('not connected');
    await person.type('connect');
    const answer = await person.send('sandbox-key-full');
    expect(answer.response_action).toBe('update');
    await person.shows('Connected to ');
    await person.shows('Everything that Rackhand offers works');
    await person.type('list');
    await person.says('12 VPS');
  });
});
