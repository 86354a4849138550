import { type RefObject, useEffect } from 'react';
import { useSurface } from './surface.ts';

const controlSelector = 'input, textarea, [role="combobox"]';

/**
 * When a view appears, focuses the element that the app has chosen. When errors appear, focuses the
 * first field with an error.
 */
export function useFieldFocus(box: RefObject<HTMLElement | null>, blocks: readonly object[]): void {
  const { kind, errors } = useSurface();
  const wanted = kind === 'message' ? '' : blocks.map(findFocusedBlockId).join('');

  useEffect(() => {
    if (wanted !== '') focusOn(box.current?.querySelector('[data-focus-on-load]'));
  }, [box, wanted]);

  useEffect(() => {
    if (Object.keys(errors).length > 0)
      focusOn(box.current?.querySelector('.kit-wrong')?.querySelector(controlSelector));
  }, [box, errors]);
}

function focusOn(found: Element | null | undefined): void {
  if (found instanceof HTMLElement) found.focus();
}

/** Returns the ID of a block whose element asks for the focus. */
function findFocusedBlockId(block: object): string {
  return JSON.stringify(block).includes('"focus_on_load":true') && 'block_id' in block
    ? String(block.block_id)
    : '';
}
