import { z } from 'zod';
import type { ModalView } from '../../../stack.ts';

const exchange = z.looseObject({
  id: z.number(),
  at: z.number(),
  kind: z.string(),
  refused: z.string().optional(),
});

export type Exchange = z.infer<typeof exchange>;

/**
 * Lists the requests between Slack and the app after the one with this ID, oldest first. Slack's
 * sandbox keeps the latest 1,000.
 */
export async function listExchanges(slackUrl: string, afterId = 0): Promise<readonly Exchange[]> {
  const answer: unknown = await (await fetch(`${slackUrl}/sandbox/traffic?after=${afterId}`)).json();
  return z.object({ traffic: z.array(exchange) }).parse(answer).traffic;
}

/** Lists what Slack rejected. Conflicts with concurrent changes of a form aren't included. */
export async function listRejections(slackUrl: string): Promise<readonly Exchange[]> {
  const all = await listExchanges(slackUrl);
  return all.filter(({ refused }) => refused !== undefined && refused !== 'hash_conflict');
}

/** Returns a select's value as Slack submits it. The select's options come from the service. */
export function toSelectedOption(value: string) {
  const selected_option = { text: { type: 'plain_text', text: value }, value };
  return { remote: { type: 'external_select', selected_option } };
}

/** Returns a text field's value as Slack submits it. */
export function toTextValue(value: string, type = 'plain_text_input') {
  return { value: { type, value } };
}

/** Returns the block ID of a dependent argument. Undefined if its field isn't shown. */
export function findDependentBlock({ blocks }: ModalView, name: string): string | undefined {
  return blocks.map(({ block_id = '' }) => block_id).find((id) => new RegExp(`^${name}@\\d+$`).test(id));
}
