import type { ImageBlock } from '@slack/types';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../../components/dialog.tsx';
import { PlainText } from '../../markup/text.tsx';
import { FallbackImage, imageUrl } from './fallback-image.tsx';

/** A large image with a title. A click enlarges it and shows a link that opens it in a new tab. */
export function ImageView({ block }: { readonly block: ImageBlock }): ReactNode {
  const [isLarge, setLarge] = useState(false);
  const title = block.title?.text ?? 'Picture';
  return (
    <figure className="kit-image">
      {block.title && (
        <figcaption>
          <PlainText text={block.title} />
        </figcaption>
      )}
      <button type="button" aria-label={`Enlarge: ${block.alt_text}`} onClick={() => setLarge(true)}>
        <FallbackImage image={block} className="kit-image-large" />
      </button>
      {isLarge && (
        <Dialog title={title} className="lightbox" onClose={() => setLarge(false)}>
          <FallbackImage image={block} className="kit-image-whole" />
          <p>
            <a href={imageUrl(block)} target="_blank" rel="noopener noreferrer">
              Open in a new tab
            </a>
          </p>
        </Dialog>
      )}
    </figure>
  );
}
