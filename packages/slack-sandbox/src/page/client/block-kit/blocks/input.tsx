import type { InputBlock } from '@slack/types';
import { type ReactNode, useId } from 'react';
import { ElementView } from '../elements/element.tsx';
import { PlainText } from '../markup/text.tsx';
import { useSurface } from '../surface.ts';

/** A form field with its label, hint and error. */
export function InputView({ block }: { readonly block: InputBlock }): ReactNode {
  const { errors } = useSurface();
  const {
    block_id: blockId = '',
    element,
    label,
    hint,
    optional = false,
    dispatch_action: isDispatching,
  } = block;
  const id = useId();
  const error = errors[blockId];
  const isGroup = element.type === 'checkboxes' || element.type === 'radio_buttons';
  const Label = isGroup ? 'span' : 'label';
  const input = {
    id,
    labelId: `${id}-label`,
    describedBy: `${hint ? `${id}-hint ` : ''}${id}-error`,
    isInvalid: error !== undefined,
    isRequired: !optional,
    isDispatching: isDispatching === true,
  };
  return (
    <div className={error === undefined ? 'kit-input' : 'kit-input kit-wrong'} data-block-id={blockId}>
      <Label id={input.labelId} {...(!isGroup && { htmlFor: id })} className="kit-label">
        <PlainText text={label} />
        {optional && <span className="kit-subtle"> (optional)</span>}
      </Label>
      <ElementView element={element} blockId={blockId} input={input} />
      {hint && (
        <small id={`${id}-hint`} className="kit-hint">
          <PlainText text={hint} />
        </small>
      )}
      <div id={`${id}-error`} className="kit-error" role="alert">
        {error}
      </div>
    </div>
  );
}
