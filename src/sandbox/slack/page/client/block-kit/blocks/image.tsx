import type { ImageBlock } from '@slack/types';
import type { ReactNode } from 'react';
import { PlainText } from '../markup/text.tsx';
import { Picture, pictureUrl } from './picture.tsx';

/** A large picture with its title, which opens by itself beside the page. */
export function ImageView({ block }: { readonly block: ImageBlock }): ReactNode {
  return (
    <figure className="kit-image">
      {block.title && (
        <figcaption>
          <PlainText text={block.title} />
        </figcaption>
      )}
      <a href={pictureUrl(block)} target="_blank" rel="noopener noreferrer">
        <Picture image={block} className="kit-image-large" />
      </a>
    </figure>
  );
}
