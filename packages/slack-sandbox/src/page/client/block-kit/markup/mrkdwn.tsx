import type { ReactNode } from 'react';
import { type Part, parseMrkdwn, type Span, type Style } from '../../../../mrkdwn/parse-mrkdwn.ts';
import { renderByIndex } from '../render-by-index.ts';
import { DateText, EmojiText, Link, Mention } from './inline-elements.tsx';

const tags = { bold: 'strong', italic: 'em', strike: 's' } as const satisfies Record<Style, string>;

/** Shows mrkdwn with the names and dates that the viewer sees. */
export function Mrkdwn({ text, verbatim = false }: { readonly text: string; readonly verbatim?: boolean }) {
  return renderByIndex(parseMrkdwn(text, { verbatim }), (part) => <PartView part={part} />);
}

function PartView({ part }: { readonly part: Part }): ReactNode {
  if (part.kind === 'preformatted') {
    return (
      <pre className="kit-pre">
        <Spans spans={part.spans} isCode />
      </pre>
    );
  }
  const lines = renderByIndex(part.lines, (spans, index) => (
    <>
      {index > 0 && <br />}
      <Spans spans={spans} />
    </>
  ));
  return part.kind === 'quote' ? <blockquote className="kit-quote">{lines}</blockquote> : lines;
}

function Spans({ spans, isCode = false }: { readonly spans: readonly Span[]; readonly isCode?: boolean }) {
  return renderByIndex(spans, (span) => <SpanView span={span} isCode={isCode} />);
}

function SpanView({ span, isCode }: { readonly span: Span; readonly isCode: boolean }): ReactNode {
  switch (span.kind) {
    case 'text':
      return isCode ? span.text : <EmojiText text={span.text} />;
    case 'styled': {
      const Tag = tags[span.style];
      return (
        <Tag>
          <Spans spans={span.children} />
        </Tag>
      );
    }
    case 'code':
      return <code>{span.text}</code>;
    case 'link':
      return (
        <Link url={span.url}>
          <EmojiText text={span.label} />
        </Link>
      );
    case 'date':
      return <DateText {...span} />;
    case 'broadcast':
      return <Mention kind="broadcast" id={span.range} />;
    default:
      return <Mention kind={span.kind} id={span.id} label={span.label} />;
  }
}
