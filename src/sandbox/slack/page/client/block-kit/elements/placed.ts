import type { Kept } from '../surface.ts';

/** What an input block gives the element inside it. */
export interface InputFacts {
  /** The id that the block's label points at. */
  readonly id: string;
  readonly labelId: string;
  /** Ids of hint and error. */
  readonly describedBy: string;
  readonly isInvalid: boolean;
  readonly isRequired: boolean;
  /** `dispatch_action`: the app hears at once of what is chosen. */
  readonly isDispatching: boolean;
}

/** An element, and where it stands. */
export interface Placed<Element> {
  readonly element: Element;
  readonly blockId: string;
  /** Set inside an input block. */
  readonly input?: InputFacts | undefined;
}

/** What goes to the server for an element: for a click, and for the submit. */
export type Answer = Pick<Kept, 'value' | 'state'>;

/** The ARIA attributes and the id of a control inside an input block; elsewhere its own name. */
export function controlProps(input: InputFacts | undefined, label: string) {
  if (!input) return { 'aria-label': label };
  return {
    id: input.id,
    'aria-describedby': input.describedBy,
    ...(input.isRequired && { 'aria-required': true }),
    ...(input.isInvalid && { 'aria-invalid': true }),
  };
}

/** The ARIA attributes of a group of controls inside an input block. */
export function groupProps(input: InputFacts | undefined, label: string) {
  if (!input) return { 'aria-label': label };
  return { 'aria-labelledby': input.labelId, 'aria-describedby': input.describedBy };
}
