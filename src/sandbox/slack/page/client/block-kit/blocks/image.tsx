import type { ImageBlock } from '@slack/types';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../dialog.tsx';
import { PlainText } from '../markup/text.tsx';
import { Picture, pictureUrl } from './picture.tsx';

/** A large picture with its title, which is enlarged by a press, and opens by itself beside the page from there. */
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
        <Picture image={block} className="kit-image-large" />
      </button>
      {isLarge && (
        <Dialog title={title} className="lightbox" onClose={() => setLarge(false)}>
          <Picture image={block} className="kit-image-whole" />
          <p>
            <a href={pictureUrl(block)} target="_blank" rel="noopener noreferrer">
              Open in a new tab
            </a>
          </p>
        </Dialog>
      )}
    </figure>
  );
}
