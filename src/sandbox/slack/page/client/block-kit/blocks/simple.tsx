import type { ActionsBlock, AlertBlock, ContextActionsBlock, ContextBlock } from '@slack/types';
import type { ReactNode } from 'react';
import { ElementView } from '../elements/element.tsx';
import { inOrder } from '../in-order.ts';
import { PlainText, TextView } from '../markup/text.tsx';
import type { Element, Header } from '../shapes.ts';
import { Sign } from '../sign.tsx';
import { Picture } from './picture.tsx';

/** A heading: level 1 of the app's four is the third of the page's own. */
export function HeaderView({ block: { text, level = 1 } }: { readonly block: Header }): ReactNode {
  const Tag = (['h3', 'h4', 'h5', 'h6'] as const)[level - 1] ?? 'h3';
  return (
    <Tag className={`kit-header kit-header-${level}`}>
      <PlainText text={text} />
    </Tag>
  );
}

/** Small text and pictures in a row. */
export function ContextView({ block }: { readonly block: ContextBlock }): ReactNode {
  return (
    <div className="kit-context">
      {inOrder(block.elements, (element) =>
        element.type === 'image' ? (
          <Picture image={element} className="kit-image-small" />
        ) : (
          <span className="kit-text">
            <TextView text={element} />
          </span>
        ),
      )}
    </div>
  );
}

/** Elements in a row. */
export function ActionsView({ block }: { readonly block: ActionsBlock | ContextActionsBlock }): ReactNode {
  const { block_id: blockId = '' } = block;
  const elements: readonly Element[] = block.elements;
  return (
    <div className="kit-actions">
      {inOrder(elements, (element) => (
        <ElementView element={element} blockId={blockId} />
      ))}
    </div>
  );
}

const levels = { default: 'Note', info: 'Info', warning: 'Warning', error: 'Error', success: 'Success' };

/** A message of a modal that stands out; its level is told in words, too. */
export function AlertView({ block: { text, level = 'default' } }: { readonly block: AlertBlock }): ReactNode {
  return (
    <div className={`kit-alert kit-alert-${level}`} role="note">
      <Sign name={level} label={levels[level]} />
      <div className="kit-text">
        <TextView text={text} />
      </div>
    </div>
  );
}
