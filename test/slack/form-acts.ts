import { z } from 'zod';
import type { ModalView } from '../stack.ts';

const exchange = z.looseObject({ at: z.number(), kind: z.string(), refused: z.string().optional() });

export type Exchange = z.infer<typeof exchange>;

/** Lists what went between Slack and the app, oldest first. */
export async function exchangesOf(slackUrl: string): Promise<readonly Exchange[]> {
  const answer: unknown = await (await fetch(`${slackUrl}/sandbox/traffic`)).json();
  return z.object({ traffic: z.array(exchange) }).parse(answer).traffic;
}

/** Lists what Slack did not take from the app; that a form has been changed meanwhile is no failure. */
export async function refusalsOf(slackUrl: string): Promise<readonly Exchange[]> {
  const all = await exchangesOf(slackUrl);
  return all.filter(({ refused }) => refused !== undefined && refused !== 'hash_conflict');
}

/** Writes the value of a select of what the service has, as Slack submits it. */
export function chosenOption(value: string) {
  const selected_option = { text: { type: 'plain_text', text: value }, value };
  return { remote: { type: 'external_select', selected_option } };
}

/** Writes the value of a text, as Slack submits it. */
export function typedValue(value: string, type = 'plain_text_input') {
  return { value: { type, value } };
}

/** Gives the id of the block of an argument that depends on another, if there is one yet. */
export function dependentBlock({ blocks }: ModalView, name: string): string | undefined {
  return blocks.map(({ block_id = '' }) => block_id).find((id) => new RegExp(`^${name}@\\d+$`).test(id));
}
