import { type ReactNode, useId } from 'react';
import type { Card, Carousel, Text } from '../block-shapes.ts';
import { ElementView } from '../elements/element.tsx';
import { TextView } from '../markup/text.tsx';
import { renderByIndex } from '../render-by-index.ts';
import { FallbackImage } from './media/fallback-image.tsx';

/** A card: an image, a title with details, and buttons. */
export function CardView({ block }: { readonly block: Card }): ReactNode {
  const {
    hero_image: hero,
    icon,
    slack_icon: slackIcon,
    title,
    subtitle,
    body,
    subtext,
    actions = [],
  } = block;
  const titleId = useId();
  return (
    <article className="kit-card" aria-labelledby={title ? titleId : undefined}>
      {hero && <FallbackImage image={hero} className="kit-card-hero" />}
      <div className="kit-heading">
        {icon && <FallbackImage image={icon} className="kit-image-icon" />}
        {slackIcon && (
          <span className="kit-slack-icon" title={slackIcon.name} aria-hidden="true">
            {slackIcon.name.charAt(0).toUpperCase()}
          </span>
        )}
        <div>
          <CardText text={title} id={titleId} className="kit-title" />
          <CardText text={subtitle} className="kit-subtle" />
        </div>
      </div>
      <CardText text={body} className="kit-card-body" />
      <CardText text={subtext} className="kit-subtle kit-small" />
      {actions.length > 0 && (
        <div className="kit-actions">
          {renderByIndex(actions, (element) => (
            <ElementView element={element} blockId={block.block_id ?? ''} />
          ))}
        </div>
      )}
    </article>
  );
}

interface CardTextProps {
  readonly text: Text | undefined;
  readonly id?: string;
  readonly className: string;
}

function CardText({ text, id, className }: CardTextProps): ReactNode {
  if (!text) return null;
  return (
    <div id={id} className={`kit-text ${className}`}>
      <TextView text={text} />
    </div>
  );
}

/** Cards side by side, in an area that scrolls horizontally. */
export function CarouselView({ block }: { readonly block: Carousel }): ReactNode {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scroll areas need keyboard access
    <div role="group" className="kit-carousel" aria-label={`${block.elements.length} cards`} tabIndex={0}>
      {renderByIndex(block.elements, (card) => (
        <CardView block={card} />
      ))}
    </div>
  );
}
