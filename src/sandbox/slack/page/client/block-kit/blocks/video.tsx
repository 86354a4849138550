import type { FileBlock, VideoBlock } from '@slack/types';
import type { ReactNode } from 'react';
import { Link } from '../markup/atoms.tsx';
import { PlainText } from '../markup/text.tsx';
import { Sign } from '../sign.tsx';
import { Picture } from './picture.tsx';

/** A video as a card that leads to it: the page embeds no one else's pages. */
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
        <Picture image={{ image_url: thumbnail, alt_text: block.alt_text }} className="kit-card-hero" />
      </a>
    </article>
  );
}

/** A remote file, which only its own service can show. */
export function FileView({ block }: { readonly block: FileBlock }): ReactNode {
  return (
    <div className="kit-card kit-heading">
      <Sign name="file" />
      <div>
        <div className="kit-title">Remote file</div>
        <div className="kit-subtle">{block.external_id}</div>
      </div>
    </div>
  );
}
