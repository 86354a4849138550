import type { RichTextBlock, RichTextElement, RichTextList, RichTextSection } from '@slack/types';
import { createElement, type ReactNode } from 'react';
import { DateText, Emoji, EmojiText, Link, Mention } from '../markup/inline-elements.tsx';
import { Placeholder } from '../placeholder.tsx';
import { renderByIndex } from '../render-by-index.ts';

type Part = RichTextBlock['elements'][number];

/** Rich text: paragraphs, nested lists, quotes and preformatted text. */
export function RichTextView({ block }: { readonly block: Pick<RichTextBlock, 'elements'> }): ReactNode {
  return (
    <div className="kit-text kit-rich-text">
      {renderByIndex(block.elements, (part, index) => (
        <PartView part={part} number={firstNumber(block.elements, index)} />
      ))}
    </div>
  );
}

function PartView({ part, number }: { readonly part: Part; readonly number: number }): ReactNode {
  switch (part.type) {
    case 'rich_text_section':
      return (
        <div>
          <Runs runs={part.elements} />
        </div>
      );
    case 'rich_text_list':
      return <ListView list={part} number={number} />;
    case 'rich_text_quote':
      return (
        <blockquote className="kit-quote">
          <Runs runs={part.elements} />
        </blockquote>
      );
    case 'rich_text_preformatted':
      return (
        <pre className="kit-pre">
          <Runs runs={part.elements} />
        </pre>
      );
    default:
      return <Placeholder block={part} />;
  }
}

type List = RichTextList & { readonly offset?: number; readonly border?: 0 | 1 };

/** A list. Nested lists are separate parts with an indent. */
function ListView({ list, number }: { readonly list: List; readonly number: number }): ReactNode {
  const { elements, style, indent = 0, border } = list;
  const Tag = style === 'ordered' ? 'ol' : 'ul';
  const className = `kit-list kit-indent-${indent} kit-marks-${indent % 3}${border ? ' kit-bordered' : ''}`;
  return (
    <Tag className={className} {...(style === 'ordered' && { start: number })}>
      {renderByIndex(elements, (item) => (
        <li>
          <Runs runs={item.elements} />
        </li>
      ))}
    </Tag>
  );
}

/**
 * Returns the number of a list's first item. Numbering continues after a nested list, unless an
 * offset is set.
 */
function firstNumber(parts: readonly Part[], index: number): number {
  const list: (Part & { readonly offset?: number }) | undefined = parts[index];
  if (list?.type !== 'rich_text_list') return 1;
  if (list.offset !== undefined) return list.offset + 1;
  let count = 1;
  for (const before of parts.slice(0, index).reverse()) {
    if (before.type !== 'rich_text_list') break;
    const [own, other] = [list.indent ?? 0, before.indent ?? 0];
    if (other < own) break;
    if (other === own && before.style === list.style) count += before.elements.length;
  }
  return count;
}

function Runs({ runs }: { readonly runs: RichTextSection['elements'] }): ReactNode {
  return renderByIndex(runs, (run) => styled(<RunView run={run} />, run.style));
}

function RunView({ run }: { readonly run: RichTextElement & { readonly fallback?: string } }): ReactNode {
  switch (run.type) {
    case 'text':
      return <Lines text={run.text} />;
    case 'link':
      return (
        <Link url={run.url}>
          <EmojiText text={run.text || run.url} />
        </Link>
      );
    case 'emoji':
      return <Emoji name={run.name} />;
    case 'user':
      return <Mention kind="user" id={run.user_id} />;
    case 'channel':
      return <Mention kind="channel" id={run.channel_id} />;
    case 'usergroup':
      return <Mention kind="group" id={run.usergroup_id} />;
    case 'broadcast':
      return <Mention kind="broadcast" id={run.range} />;
    case 'team':
      return <span className="kit-mention">@{run.team_id}</span>;
    case 'date':
      return <DateText seconds={run.timestamp} format={run.format} url={run.url} fallback={run.fallback} />;
    case 'color':
      return <ColorView value={run.value} />;
    default:
      return <Placeholder block={run} />;
  }
}

function Lines({ text }: { readonly text: string }): ReactNode {
  return renderByIndex(text.split('\n'), (line, index) => (
    <>
      {index > 0 && <br />}
      {line}
    </>
  ));
}

function ColorView({ value }: { readonly value: string }): ReactNode {
  const isColor = /^#[0-9a-f]{3,8}$/i.test(value);
  return (
    <code>
      {isColor && <span className="kit-swatch" style={{ backgroundColor: value }} aria-hidden="true" />}
      {value}
    </code>
  );
}

type Style = NonNullable<RichTextElement['style']> & {
  readonly underline?: boolean;
  readonly highlight?: boolean;
  readonly client_highlight?: boolean;
};

const tags = [
  ['code', 'code'],
  ['strike', 's'],
  ['italic', 'em'],
  ['underline', 'u'],
  ['bold', 'strong'],
  ['highlight', 'mark'],
  ['client_highlight', 'mark'],
] as const satisfies readonly (readonly [keyof Style, string])[];

function styled(content: ReactNode, style: Style | undefined): ReactNode {
  if (!style) return content;
  return tags.reduce<ReactNode>(
    (inner, [name, tag]) => (style[name] ? createElement(tag, null, inner) : inner),
    content,
  );
}
