import type { ContainerBlock } from '@slack/types';
import type { ReactNode } from 'react';
import { PlainText, TextView } from '../markup/text.tsx';
import { FallbackImage } from './media/fallback-image.tsx';
import { RichTextView } from './rich-text.tsx';

interface ContainerViewProps {
  readonly block: ContainerBlock;
  /** The inner blocks, already rendered. */
  readonly children: ReactNode;
}

/** A group of blocks with a title. It can be collapsible. */
export function ContainerView({ block, children }: ContainerViewProps): ReactNode {
  const { width = 'standard', is_collapsible: isCollapsible, has_header_divider: hasDivider } = block;
  const className = `kit-container kit-width-${width}`;
  const body = <div className="kit-container-body">{children}</div>;
  if (isCollapsible) {
    return (
      <details className={className} open={block.default_collapsed !== true}>
        <summary>
          <Heading block={block} />
        </summary>
        {body}
      </details>
    );
  }
  return (
    <section className={className}>
      <header className={hasDivider ? 'kit-divided' : ''}>
        <Heading block={block} />
      </header>
      {body}
    </section>
  );
}

function Heading({ block }: { readonly block: ContainerBlock }): ReactNode {
  const { icon, title, rich_text_title: richTitle, subtitle } = block;
  return (
    <span className="kit-heading">
      {icon && <FallbackImage image={icon} className="kit-image-icon" />}
      <span>
        <span className="kit-title">
          {richTitle ? <RichTextView block={richTitle} /> : title && <PlainText text={title} />}
        </span>
        {subtitle && (
          <small>
            <TextView text={subtitle} />
          </small>
        )}
      </span>
    </span>
  );
}
