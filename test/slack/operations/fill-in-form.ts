import { expect } from 'vitest';
import { z } from 'zod';
import type { ModalView } from '../../stack.ts';
import type { StackFixture } from '../stack-fixture.ts';
import type { FieldInput } from './operation-case.ts';

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

/** Fills in the topmost form field by field, as a person does, and submits it. */
export async function fillInForm(
  { slack }: Pick<StackFixture, 'slack'>,
  values: Readonly<Record<string, FieldInput>>,
): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'object') await fillInRows(slack, name, value);
    else await fillInField(slack, await findField(slack, name), value);
  }
  const sent = await slack.submit(await slack.modal(), {});
  expect(sent.errors).toBeUndefined();
  expect(sent.acknowledged).toBe(true);
}

type Slack = StackFixture['slack'];

async function fillInRows(
  slack: Slack,
  name: string,
  rows: readonly Readonly<Record<string, string | boolean>>[],
): Promise<void> {
  for (const [index, row] of rows.entries()) {
    if (listRowIds(await slack.modal(), name).length <= index) {
      await slack.act('click', { user, view: (await slack.modal()).id, action_id: 'row:add', value: name });
    }
    for (const [field, value] of Object.entries(row)) {
      const id = await slack.untilSeen(async () => {
        const found = listRowIds(await slack.modal(), name)[index];
        if (found === undefined) throw new Error(`${name} has no row ${index + 1}`);
        return found;
      });
      await fillInField(slack, await findField(slack, `${name}.${id}.${field}`), value);
    }
  }
}

/** Lists the IDs of an argument's rows in order. */
function listRowIds({ blocks }: ModalView, name: string): string[] {
  const ids = blocks.flatMap(({ block_id = '' }) =>
    block_id.startsWith(`${name}.`) ? [block_id.split('.')[1] ?? ''] : [],
  );
  return [...new Set(ids)];
}

/**
 * Waits for the field of an argument. A field that depends on another one appears once that one is
 * chosen, and its ID contains a revision.
 */
async function findField(slack: Slack, name: string): Promise<InputBlock> {
  return slack.untilSeen(async () => {
    const { blocks } = await slack.modal();
    const block = blocks.find(({ block_id = '' }) => block_id === name || block_id.startsWith(`${name}@`));
    const parsed = inputBlock.safeParse(block);
    if (parsed.success) return parsed.data;
    const there = blocks.map(({ block_id }) => block_id).join(', ');
    throw new Error(`the form has no field ${name}, but ${there}`);
  });
}

async function fillInField(slack: Slack, field: InputBlock, value: string | boolean): Promise<void> {
  const { block_id, dispatch_action, element } = field;
  const view = await slack.modal();
  const place = { user, view: view.id, block_id, action_id: element.action_id };
  await slack.act('click', { ...place, value: await resolveFieldValue(slack, place, element, value) });
  // Changing a field on which others depend changes the form.
  if (dispatch_action)
    await slack.untilSeen(async () => expect((await slack.modal()).hash).not.toBe(view.hash));
}

async function resolveFieldValue(
  slack: Slack,
  place: Record<string, string>,
  { type, options = [] }: InputBlock['element'],
  value: string | boolean,
): Promise<unknown> {
  if (type === 'checkboxes') return value === true ? options.map((one) => one.value) : [];
  if (type === 'static_select') return findOption(String(value), options);
  if (type !== 'external_select') return value;
  const offered = (await slack.act('suggest', { ...place, text: String(value) })).options ?? [];
  return findOption(String(value), z.array(option).parse(offered));
}

/** Finds an option by its value, or by the beginning of the text that people read. */
function findOption(name: string, options: readonly z.infer<typeof option>[]): string {
  const found =
    options.find(({ value }) => value === name) ?? options.find(({ text }) => text.text.startsWith(name));
  if (found) return found.value;
  throw new Error(
    `${name} is not offered, but ${options.map(({ text }) => text.text).join(', ') || 'nothing'}`,
  );
}
