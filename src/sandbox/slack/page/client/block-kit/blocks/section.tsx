import type { SectionBlock } from '@slack/types';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { ElementView } from '../elements/element.tsx';
import { inOrder } from '../in-order.ts';
import { TextView } from '../markup/text.tsx';
import { Picture } from './picture.tsx';

/** Text and fields, with an element beside. */
export function SectionView({ block }: { readonly block: SectionBlock }): ReactNode {
  const { text, fields = [], accessory, block_id: blockId = '', expand = false } = block;
  return (
    <div className="kit-section">
      <div className="kit-section-body">
        {text && (
          <Folding isOpen={expand}>
            <div className="kit-text">
              <TextView text={text} />
            </div>
          </Folding>
        )}
        {fields.length > 0 && (
          <div className="kit-fields">
            {inOrder(fields, (field) => (
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
            <Picture image={accessory} className="kit-image-accessory" />
          ) : (
            <ElementView element={accessory} blockId={blockId} />
          )}
        </div>
      )}
    </div>
  );
}

/** Content of which only the beginning shows while it is long: "See more" shows the rest. */
function Folding({
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
