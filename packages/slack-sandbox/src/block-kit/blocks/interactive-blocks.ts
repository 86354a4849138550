import { z } from 'zod';
import { once } from '../../once.ts';
import { actionsElement, contextActionsElement, inputElement } from '../elements.ts';
import { limits } from '../limits.ts';
import type { Surface } from '../surfaces.ts';
import { id, plainText } from '../text-objects.ts';

const block_id = once(() => id().optional());

export function actions(surface: Surface) {
  return z.strictObject({
    type: z.literal('actions'),
    block_id: block_id(),
    elements: z.array(actionsElement(surface)).min(1).max(limits.actions.elements),
  });
}

export function contextActions(surface: Surface) {
  return z.strictObject({
    type: z.literal('context_actions'),
    block_id: block_id(),
    elements: z.array(contextActionsElement(surface)).min(1).max(limits.contextActions.elements),
  });
}

export function input(surface: Surface) {
  return z
    .strictObject({
      type: z.literal('input'),
      block_id: block_id(),
      label: plainText(limits.input.labelChars),
      element: inputElement(surface),
      hint: plainText(limits.input.hintChars).optional(),
      optional: z.boolean().optional(),
      dispatch_action: z.boolean().optional(),
    })
    .refine(({ element, dispatch_action }) => !(dispatch_action && isFileInput(element)), {
      path: ['element', 'type'],
      message: 'unsupported type: file_input',
    });
}

function isFileInput(element: unknown): boolean {
  return (
    typeof element === 'object' && element !== null && 'type' in element && element.type === 'file_input'
  );
}
