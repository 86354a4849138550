import type { InputValue } from '../surface.ts';

/** Context that an input block passes to its element. */
export interface InputBlockContext {
  /** The ID to which the block's label refers. */
  readonly id: string;
  readonly labelId: string;
  /** IDs of the hint and the error. */
  readonly describedBy: string;
  readonly isInvalid: boolean;
  readonly isRequired: boolean;
  /** Set by `dispatch_action`: each value is sent to the app immediately. */
  readonly isDispatching: boolean;
}

/** An element and the block that contains it. */
export interface ElementProps<Element> {
  readonly element: Element;
  readonly blockId: string;
  /** Set if the element is in an input block. */
  readonly input?: InputBlockContext | undefined;
}

/** The value that an action or submission sends to the server. */
export type ElementValue = Pick<InputValue, 'value' | 'state'>;

/**
 * Returns the attributes of a control. In an input block, these are the ID and ARIA attributes;
 * elsewhere, an ARIA label.
 */
export function controlProps(input: InputBlockContext | undefined, label: string) {
  if (!input) return { 'aria-label': label };
  return {
    id: input.id,
    'aria-describedby': input.describedBy,
    ...(input.isRequired && { 'aria-required': true }),
    ...(input.isInvalid && { 'aria-invalid': true }),
  };
}

/** Returns the ARIA attributes of a group of controls inside an input block. */
export function groupProps(input: InputBlockContext | undefined, label: string) {
  if (!input) return { 'aria-label': label };
  return { 'aria-labelledby': input.labelId, 'aria-describedby': input.describedBy };
}
