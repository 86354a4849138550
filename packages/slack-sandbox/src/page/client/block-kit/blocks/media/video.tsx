import type { FileBlock, VideoBlock } from '@slack/types';
import type { ReactNode } from 'react';
import { KitIcon } from '../../kit-icon.tsx';
import { Link } from '../../markup/inline-elements.tsx';
import { PlainText } from '../../markup/text.tsx';
import { FallbackImage } from './fallback-image.tsx';

/** A video, shown as a card that links to it. The page doesn't embed external pages. */
export function VideoView({ block }: { readonly block: VideoBlock }): ReactNode {
  const { title, title_url: titleUrl, video_url: videoUrl, thumbnail_url: thumbnail, description } = block;
  const by = [block.author_name, block.provider_name].filter(Boolean).join(' · ');
  return (
    <article className="kit-card kit-video">
      {by && <div className="kit-subtle kit-small">{by}</div>}
      <div className="kit-title">
        <Link url={titleUrl ?? videoUrl}>
          <PlainText text={title} />
        </Link>
      </div>
      {description && (
        <div className="kit-text">
          <PlainText text={description} />
        </div>
      )}
      <a href={videoUrl} target="_blank" rel="noopener noreferrer" className="kit-play">
        <FallbackImage image={{ image_url: thumbnail, alt_text: block.alt_text }} className="kit-card-hero" />
      </a>
    </article>
  );
}

/** A remote file. Only the service that stores it can show it. */
export function FileView({ block }: { readonly block: FileBlock }): ReactNode {
  return (
    <div className="kit-card kit-heading">
      <KitIcon name="file" />
      <div>
        <div className="kit-title">Remote file</div>
        <div className="kit-subtle">{block.external_id}</div>
      </div>
    </div>
  );
}
