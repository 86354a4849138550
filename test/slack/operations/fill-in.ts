import { expect } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../eventually.ts';
import type { ModalView } from '../../stack.ts';
import type { Filled } from './case.ts';
import type { Stage } from './stage.ts';

const user = 'U0ALICE';

const option = z.looseObject({ value: z.string(), text: z.looseObject({ text: z.string() }) });

const inputBlock = z.looseObject({
  type: z.literal('input'),
  block_id: z.string(),
  dispatch_action: z.boolean().default(false),
  element: z.looseObject({
    type: z.string(),
    action_id: z.string(),
    options: z.array(option).optional(),
  }),
});

type InputBlock = z.infer<typeof inputBlock>;

/** Fills in the topmost form field by field, as a person does, and sends it. */
export async function fillInForm({ slack }: Stage, values: Readonly<Record<string, Filled>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'object') await fillInRows(slack, name, value);
    else await fillIn(slack, await fieldOf(slack, name), value);
  }
  const sent = await slack.submit(await slack.modal(), {});
  expect(sent.errors).toBeUndefined();
  expect(sent.acknowledged).toBe(true);
}

type Slack = Stage['slack'];

async function fillInRows(
  slack: Slack,
  name: string,
  rows: readonly Readonly<Record<string, string | boolean>>[],
): Promise<void> {
  for (const [index, row] of rows.entries()) {
    if (rowsOf(await slack.modal(), name).length <= index) {
      await slack.act('click', { user, view: (await slack.modal()).id, action_id: 'row:add', value: name });
    }
    for (const [field, value] of Object.entries(row)) {
      const id = await eventually(async () => {
        const found = rowsOf(await slack.modal(), name)[index];
        if (found === undefined) throw new Error(`${name} has no row ${index + 1}`);
        return found;
      });
      await fillIn(slack, await fieldOf(slack, `${name}.${id}.${field}`), value);
    }
  }
}

/** Lists the ids of the rows of an argument, in their order. */
function rowsOf({ blocks }: ModalView, name: string): string[] {
  const ids = blocks.flatMap(({ block_id = '' }) =>
    block_id.startsWith(`${name}.`) ? [block_id.split('.')[1] ?? ''] : [],
  );
  return [...new Set(ids)];
}

/** Waits for the field of an argument: one that depends on another comes when that is chosen, its id with a revision. */
async function fieldOf(slack: Slack, name: string): Promise<InputBlock> {
  return eventually(async () => {
    const { blocks } = await slack.modal();
    const block = blocks.find(({ block_id = '' }) => block_id === name || block_id.startsWith(`${name}@`));
    const parsed = inputBlock.safeParse(block);
    if (parsed.success) return parsed.data;
    const there = blocks.map(({ block_id }) => block_id).join(', ');
    throw new Error(`the form has no field ${name}, but ${there}`);
  });
}

async function fillIn(slack: Slack, field: InputBlock, value: string | boolean): Promise<void> {
  const { block_id, dispatch_action, element } = field;
  const view = await slack.modal();
  const place = { user, view: view.id, block_id, action_id: element.action_id };
  await slack.act('click', { ...place, value: await chosen(slack, place, element, value) });
  // What others depend on changes the form.
  if (dispatch_action) await expect.poll(async () => (await slack.modal()).hash !== view.hash).toBe(true);
}

async function chosen(
  slack: Slack,
  place: Record<string, string>,
  { type, options = [] }: InputBlock['element'],
  value: string | boolean,
): Promise<unknown> {
  if (type === 'checkboxes') return value === true ? options.map((one) => one.value) : [];
  if (type === 'static_select') return optionCalled(String(value), options);
  if (type !== 'external_select') return value;
  const offered = (await slack.act('suggest', { ...place, text: String(value) })).options ?? [];
  return optionCalled(String(value), z.array(option).parse(offered));
}

/** Finds an option by its value, or by how its text begins, as a person reads it. */
function optionCalled(name: string, options: readonly z.infer<typeof option>[]): string {
  const found =
    options.find(({ value }) => value === name) ?? options.find(({ text }) => text.text.startsWith(name));
  if (found) return found.value;
  throw new Error(
    `${name} is not offered, but ${options.map(({ text }) => text.text).join(', ') || 'nothing'}`,
  );
}
