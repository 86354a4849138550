import { z } from 'zod';
import type { ModalView, RunningStack } from '../../../stack.ts';

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

type DrivenStack = Pick<RunningStack, 'slack'>;

/** Returns the block ID of an argument's field. The ID of a field that depends on another one has a revision. */
export function blockOf({ blocks }: ModalView, argument: string): string {
  const found = blocks.find(({ block_id = '' }) => block_id.replace(/@\d+$/, '') === argument);
  return found?.block_id ?? argument;
}

/** Lists the arguments that the fields of a form are for. */
export function listFields({ blocks }: ModalView): readonly string[] {
  return blocks.flatMap(({ type, block_id = '' }) =>
    type === 'input' ? [block_id.replace(/@\d+$/, '')] : [],
  );
}

/** Returns the values that a select of Alice's topmost form offers for typed text. */
export async function suggest(
  { slack }: DrivenStack,
  argument: string,
  text = '',
): Promise<readonly string[]> {
  const view = await slack.modal();
  const place = { user: 'U0ALICE', view: view.id, block_id: blockOf(view, argument), action_id: 'remote' };
  const { options = [] } = await slack.act('suggest', { ...place, text });
  return options.map(({ value }) => value);
}

/** Fills in a field on which others depend, and returns the form once it was updated. */
export async function fillIn({ slack }: DrivenStack, argument: string, value: string, action_id = 'value') {
  const view = await slack.modal();
  const place = { user: 'U0ALICE', view: view.id, block_id: blockOf(view, argument), action_id };
  await slack.act('click', { ...place, value });
  await slack.untilSeen(async () => {
    if ((await slack.modal()).hash === view.hash) throw new Error('the form was not updated');
  });
  return slack.modal();
}
