import { type RefObject, useEffect } from 'react';
import { useSurface } from './surface.ts';

const controls = 'input, textarea, [role="combobox"]';

/** Puts the focus where the app wants it when a view's blocks appear, and on the first field with an error. */
export function useFieldFocus(box: RefObject<HTMLElement | null>, blocks: readonly object[]): void {
  const { kind, errors } = useSurface();
  const wanted = kind === 'message' ? '' : blocks.map(focusedIn).join('');

  useEffect(() => {
    if (wanted !== '') focusOn(box.current?.querySelector('[data-focus-on-load]'));
  }, [box, wanted]);

  useEffect(() => {
    if (Object.keys(errors).length > 0)
      focusOn(box.current?.querySelector('.kit-wrong')?.querySelector(controls));
  }, [box, errors]);
}

function focusOn(found: Element | null | undefined): void {
  if (found instanceof HTMLElement) found.focus();
}

/** The id of a block whose element asks for the focus. */
function focusedIn(block: object): string {
  return JSON.stringify(block).includes('"focus_on_load":true') && 'block_id' in block
    ? String(block.block_id)
    : '';
}
