import type { SectionBlock } from '@slack/types';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { ElementView } from '../elements/element.tsx';
import { TextView } from '../markup/text.tsx';
import { renderByIndex } from '../render-by-index.ts';
import { FallbackImage } from './media/fallback-image.tsx';

/** Text and fields, with an optional accessory. */
export function SectionView({ block }: { readonly block: SectionBlock }): ReactNode {
  const { text, fields = [], accessory, block_id: blockId = '', expand = false } = block;
  return (
    <div className="kit-section">
      <div className="kit-section-body">
        {text && (
          <Collapsible isOpen={expand}>
            <div className="kit-text">
              <TextView text={text} />
            </div>
          </Collapsible>
        )}
        {fields.length > 0 && (
          <div className="kit-fields">
            {renderByIndex(fields, (field) => (
              <div className="kit-text">
                <TextView text={field} />
              </div>
            ))}
          </div>
        )}
      </div>
      {accessory && (
        <div className="kit-accessory">
          {accessory.type === 'image' ? (
            <FallbackImage image={accessory} className="kit-image-accessory" />
          ) : (
            <ElementView element={accessory} blockId={blockId} />
          )}
        </div>
      )}
    </div>
  );
}

/** Shows the beginning of long content, with a "See more" button. */
function Collapsible({
  isOpen,
  children,
}: {
  readonly isOpen: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [isLong, setIsLong] = useState(false);
  const [isUnfolded, setIsUnfolded] = useState(false);

  useLayoutEffect(() => {
    const shown = box.current;
    if (isOpen || !shown) return undefined;
    const measure = () => setIsLong((was) => was || shown.scrollHeight > shown.clientHeight + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(shown);
    return () => observer.disconnect();
  }, [isOpen]);

  if (isOpen) return children;
  return (
    <>
      <div ref={box} className={isUnfolded ? '' : 'kit-folded'}>
        {children}
      </div>
      {isLong && (
        <button
          type="button"
          className="kit-link"
          aria-expanded={isUnfolded}
          onClick={() => setIsUnfolded(!isUnfolded)}
        >
          {isUnfolded ? 'See less' : 'See more'}
        </button>
      )}
    </>
  );
}
