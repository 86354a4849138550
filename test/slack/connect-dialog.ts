import { expect } from 'vitest';
import type { SlackMessage, slackControl } from '../stack.ts';

interface Person {
  readonly user: string;
  readonly channel: string;
  readonly team: string;
}

export type KeyDialog = ReturnType<typeof inFrontOf>;

/** Drives what a person has in front of them: a command, the dialog that it opens, the messages of a channel. */
export function inFrontOf(slack: ReturnType<typeof slackControl>, { user, channel, team }: Person) {
  const top = async () => (await slack.openModals(user, team)).at(-1);
  const text = async () => JSON.stringify((await top()) ?? null);
  const shows = (words: string | RegExp) => expect.poll(text).toMatch(words);
  const field = (value: string) => ({ value: { type: 'plain_text_input', value } });

  async function send(values: Record<string, unknown>) {
    const view = (await top())?.id;
    return slack.act('submit', { team, user, view, values });
  }

  return {
    text,
    blocks: async () => (await top())?.blocks,
    shows,
    messages: () => slack.messages(channel, user, team),
    says: (words: string): Promise<SlackMessage> => slack.message(words, channel, user, team),
    type: (command: string) => slack.slash(command, { user, channel, team }),
    click: ({ ts }: SlackMessage, action_id: string) =>
      slack.act('click', { team, user, channel, ts, action_id }),
    /** Fills in the dialog for a key, once it is there, and sends it. */
    async send(apiKey: string, limit?: string) {
      await shows('"block_id":"api_key"');
      return send({ api_key: field(apiKey), ...(limit !== undefined && { limit: field(limit) }) });
    },
    /** Sends a dialog in which nothing is filled in. */
    press: () => send({}),
    async closeDialog() {
      await slack.act('close', { team, user, view: (await top())?.id });
    },
  };
}
