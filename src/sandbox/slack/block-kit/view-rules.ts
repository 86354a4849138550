import { elementsOf, type Place } from './places.ts';
import type { Problem } from './problem.ts';

/** Checks what the blocks of a view ask of the view as a whole. */
export function checkViewRules(view: Readonly<Record<string, unknown>>, blocks: readonly Place[]): Problem[] {
  const isModal = view.type === 'modal';
  return [...(isModal && view.submit === undefined ? checkSubmit(blocks) : []), ...checkFocus(blocks)];
}

function checkSubmit(blocks: readonly Place[]): Problem[] {
  const input = blocks.find(({ value }) => value.type === 'input');
  if (!input) return [];
  return [{ pointer: input.pointer, message: 'must define `submit` to use an `input` block in modals' }];
}

function checkFocus(blocks: readonly Place[]): Problem[] {
  const focused = blocks.flatMap(elementsOf).filter(({ value }) => value.focus_on_load === true);
  return focused.slice(1).map(({ pointer }) => ({
    pointer: `${pointer}/focus_on_load`,
    message: 'only one element can be set to focus on load',
  }));
}

/** Finds menus that ask for a `response_url` where there is none: it comes only with the inputs of a modal. */
export function checkResponseUrls(blocks: readonly Place[], isModal: boolean): Problem[] {
  const elsewhere = blocks.filter(({ value }) => !(isModal && value.type === 'input'));
  return elsewhere
    .flatMap(elementsOf)
    .filter(({ value }) => value.response_url_enabled === true)
    .map(({ pointer }) => ({
      pointer: `${pointer}/response_url_enabled`,
      message: 'must be in an `input` block of a modal',
    }));
}
