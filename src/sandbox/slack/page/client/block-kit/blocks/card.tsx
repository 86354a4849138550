import { type ReactNode, useId } from 'react';
import { ElementView } from '../elements/element.tsx';
import { inOrder } from '../in-order.ts';
import { TextView } from '../markup/text.tsx';
import type { Card, Carousel, Text } from '../shapes.ts';
import { Picture } from './picture.tsx';

/** A card: a picture, a title with what belongs to it, and buttons. */
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
      {hero && <Picture image={hero} className="kit-card-hero" />}
      <div className="kit-heading">
        {icon && <Picture image={icon} className="kit-image-icon" />}
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
          {inOrder(actions, (element) => (
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

/** Cards side by side, to be scrolled through. */
export function CarouselView({ block }: { readonly block: Carousel }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="kit-carousel" aria-label={`${block.elements.length} cards`} tabIndex={0}>
      {inOrder(block.elements, (card) => (
        <CardView block={card} />
      ))}
    </section>
  );
}
