import type { ReactNode } from 'react';
import type { Attachment } from './block-shapes.ts';
import { FallbackImage } from './blocks/media/fallback-image.tsx';
import { Blocks } from './blocks.tsx';
import { Link } from './markup/inline-elements.tsx';
import { Mrkdwn } from './markup/mrkdwn.tsx';
import { Placeholder } from './placeholder.tsx';
import { renderByIndex } from './render-by-index.ts';

interface AttachmentsProps {
  readonly attachments: readonly Readonly<Record<string, unknown>>[];
}

/** Shows a message's legacy attachments. Needs a `SurfaceContext`. */
export function Attachments({ attachments }: AttachmentsProps): ReactNode {
  return renderByIndex(attachments, (attachment) => <AttachmentView attachment={attachment} />);
}

const colors: Readonly<Record<string, string>> = { good: '#2eb67d', warning: '#e0b84c', danger: '#c7372f' };

function AttachmentView({ attachment }: { readonly attachment: Attachment }): ReactNode {
  const { color = '', pretext, text, title, fields = [], blocks = [], fallback, footer } = attachment;
  const bar = colors[color] ?? (/^#?[0-9a-f]{6}$/i.test(color) ? `#${color.replace('#', '')}` : undefined);
  const isEmpty = !text && !title && fields.length === 0 && blocks.length === 0 && !attachment.image_url;
  return (
    <div className="kit-attachment-whole">
      {pretext && <AttachmentText text={pretext} />}
      <div className="kit-attachment" style={bar ? { borderInlineStartColor: bar } : undefined}>
        {attachment.author_name && (
          <div className="kit-subtle kit-small">
            <Link url={attachment.author_link ?? ''}>{attachment.author_name}</Link>
          </div>
        )}
        {title && (
          <div className="kit-title">
            <Link url={attachment.title_link ?? ''}>{title}</Link>
          </div>
        )}
        {text && <AttachmentText text={text} />}
        {isEmpty && fallback && <AttachmentText text={fallback} />}
        {fields.length > 0 && (
          <div className="kit-fields">
            {renderByIndex(fields, (field) => (
              <div className={field.short ? '' : 'kit-field-long'}>
                <strong>{field.title}</strong>
                <AttachmentText text={field.value} />
              </div>
            ))}
          </div>
        )}
        {attachment.image_url && (
          <FallbackImage
            image={{ image_url: attachment.image_url, alt_text: fallback ?? '' }}
            className="kit-image-large"
          />
        )}
        {blocks.length > 0 && <Blocks blocks={blocks.map((block) => ({ ...block }))} />}
        {attachment.actions && attachment.actions.length > 0 && (
          <Placeholder block={{ ...attachment.actions, type: 'older buttons' }} />
        )}
        {footer && <div className="kit-subtle kit-small">{footer}</div>}
      </div>
    </div>
  );
}

function AttachmentText({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="kit-text">
      <Mrkdwn text={text} />
    </div>
  );
}
