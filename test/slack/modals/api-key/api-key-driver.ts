import { expect } from 'vitest';
import type { createSlackDriver, SlackMessage } from '../../../stack.ts';

interface Person {
  readonly user: string;
  readonly channel: string;
  readonly team: string;
}

export type KeyModalDriver = ReturnType<typeof createKeyModalDriver>;

/** Fills in the key modals as a person does, and reads their messages. */
export function createKeyModalDriver(
  slack: ReturnType<typeof createSlackDriver>,
  { user, channel, team }: Person,
) {
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
    click: (message: SlackMessage, name: string) => slack.click(message, name, { team, user, channel }),
    /** Waits for the modal that asks for a key, fills it in and submits it. */
    async send(apiKey: string, limit?: string, { acceptsFewer = false } = {}) {
      await shows('"block_id":"api_key"');
      const accepted = { value: { type: 'checkboxes', selected_options: [{ value: 'yes' }] } };
      return send({
        api_key: field(apiKey),
        ...(limit !== undefined && { limit: field(limit) }),
        ...(acceptsFewer && { accept_fewer: accepted }),
      });
    },
    async closeDialog() {
      await slack.act('close', { team, user, view: (await top())?.id });
    },
  };
}
