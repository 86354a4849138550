import { findElements, type LocatedObject } from './located-objects.ts';
import type { Problem } from './problem.ts';

/** Validates what a view's blocks require of the whole view. */
export function validateViewRules(
  view: Readonly<Record<string, unknown>>,
  blocks: readonly LocatedObject[],
): Problem[] {
  const isModal = view.type === 'modal';
  return [...(isModal && view.submit === undefined ? validateSubmit(blocks) : []), ...validateFocus(blocks)];
}

function validateSubmit(blocks: readonly LocatedObject[]): Problem[] {
  const input = blocks.find(({ value }) => value.type === 'input');
  if (!input) return [];
  return [{ pointer: input.pointer, message: 'must define `submit` to use an `input` block in modals' }];
}

function validateFocus(blocks: readonly LocatedObject[]): Problem[] {
  const focused = blocks.flatMap(findElements).filter(({ value }) => value.focus_on_load === true);
  return focused.slice(1).map(({ pointer }) => ({
    pointer: `${pointer}/focus_on_load`,
    message: 'only one element can be set to focus on load',
  }));
}

/**
 * Reports menus that ask for a `response_url` but aren't in a modal's inputs. Slack doesn't send
 * one for them.
 */
export function validateResponseUrls(blocks: readonly LocatedObject[], isModal: boolean): Problem[] {
  const elsewhere = blocks.filter(({ value }) => !(isModal && value.type === 'input'));
  return elsewhere
    .flatMap(findElements)
    .filter(({ value }) => value.response_url_enabled === true)
    .map(({ pointer }) => ({
      pointer: `${pointer}/response_url_enabled`,
      message: 'must be in an `input` block of a modal',
    }));
}
