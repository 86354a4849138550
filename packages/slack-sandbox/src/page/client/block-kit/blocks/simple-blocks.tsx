import type { ActionsBlock, AlertBlock, ContextActionsBlock, ContextBlock } from '@slack/types';
import type { ReactNode } from 'react';
import type { Element, Header } from '../block-shapes.ts';
import { ElementView } from '../elements/element.tsx';
import { KitIcon } from '../kit-icon.tsx';
import { PlainText, TextView } from '../markup/text.tsx';
import { renderByIndex } from '../render-by-index.ts';
import { FallbackImage } from './media/fallback-image.tsx';

/** A heading. The app's levels 1 to 4 become levels 3 to 6 on the page. */
export function HeaderView({ block: { text, level = 1 } }: { readonly block: Header }): ReactNode {
  const Tag = (['h3', 'h4', 'h5', 'h6'] as const)[level - 1] ?? 'h3';
  return (
    <Tag className={`kit-header kit-header-${level}`}>
      <PlainText text={text} />
    </Tag>
  );
}

/** Small text and images in a row. */
export function ContextView({ block }: { readonly block: ContextBlock }): ReactNode {
  return (
    <div className="kit-context">
      {renderByIndex(block.elements, (element) =>
        element.type === 'image' ? (
          <FallbackImage image={element} className="kit-image-small" />
        ) : (
          <span className="kit-text">
            <TextView text={element} />
          </span>
        ),
      )}
    </div>
  );
}

/** A row of elements. */
export function ActionsView({ block }: { readonly block: ActionsBlock | ContextActionsBlock }): ReactNode {
  const { block_id: blockId = '' } = block;
  const elements: readonly Element[] = block.elements;
  return (
    <div className="kit-actions">
      {renderByIndex(elements, (element) => (
        <ElementView element={element} blockId={blockId} />
      ))}
    </div>
  );
}

const levels = { default: 'Note', info: 'Info', warning: 'Warning', error: 'Error', success: 'Success' };

/** A highlighted message in a modal. Its level is written as text too. */
export function AlertView({ block: { text, level = 'default' } }: { readonly block: AlertBlock }): ReactNode {
  return (
    <div className={`kit-alert kit-alert-${level}`} role="note">
      <KitIcon name={level} label={levels[level]} />
      <div className="kit-text">
        <TextView text={text} />
      </div>
    </div>
  );
}
