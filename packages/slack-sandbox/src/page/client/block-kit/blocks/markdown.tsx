import { Lexer, type Token, type Tokens } from 'marked';
import { type ReactNode, useMemo } from 'react';
import { EmojiText, Link } from '../markup/inline-elements.tsx';
import { renderByIndex } from '../render-by-index.ts';

/** Standard Markdown. HTML in it is shown as text, and images as links. */
export function MarkdownView({ text }: { readonly text: string }): ReactNode {
  const tokens = useMemo(() => new Lexer({ gfm: true }).lex(text), [text]);
  return (
    <div className="kit-text kit-markdown">
      <TokenViews tokens={tokens} />
    </div>
  );
}

function TokenViews({ tokens = [] }: { readonly tokens?: readonly Token[] | undefined }): ReactNode {
  return renderByIndex(tokens, (token) => <TokenView token={token} />);
}

function TokenView({ token }: { readonly token: Token }): ReactNode {
  if (!isKnown(token)) return token.raw;
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading': {
      const Tag = (['h3', 'h4', 'h5', 'h6'] as const)[token.depth - 1] ?? 'h6';
      return (
        <Tag className={`kit-header kit-header-${Math.min(token.depth, 4)}`}>
          <TokenViews tokens={token.tokens} />
        </Tag>
      );
    }
    case 'paragraph':
      return (
        <p>
          <TokenViews tokens={token.tokens} />
        </p>
      );
    case 'text':
      return token.tokens ? <TokenViews tokens={token.tokens} /> : <EmojiText text={token.text} />;
    case 'escape':
      return token.text;
    case 'strong':
      return (
        <strong>
          <TokenViews tokens={token.tokens} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <TokenViews tokens={token.tokens} />
        </em>
      );
    case 'del':
      return (
        <s>
          <TokenViews tokens={token.tokens} />
        </s>
      );
    case 'codespan':
      return <code>{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return (
        <Link url={token.href}>
          <TokenViews tokens={token.tokens} />
        </Link>
      );
    case 'image':
      return <Link url={token.href}>{token.text || token.href}</Link>;
    case 'code':
      return <pre className="kit-pre">{token.text}</pre>;
    case 'blockquote':
      return (
        <blockquote className="kit-quote">
          <TokenViews tokens={token.tokens} />
        </blockquote>
      );
    case 'hr':
      return <hr className="kit-divider" />;
    case 'list':
      return <ListView list={token} />;
    case 'table':
      return <TableView table={token} />;
    case 'checkbox':
      return null;
    case 'html':
      return token.raw;
    default:
      return null;
  }
}

type Known =
  | Tokens.Space
  | Tokens.Def
  | Tokens.Heading
  | Tokens.Paragraph
  | Tokens.Text
  | Tokens.Escape
  | Tokens.Strong
  | Tokens.Em
  | Tokens.Del
  | Tokens.Codespan
  | Tokens.Br
  | Tokens.Link
  | Tokens.Image
  | Tokens.Code
  | Tokens.Blockquote
  | Tokens.Hr
  | Tokens.List
  | Tokens.Table
  | Tokens.HTML
  | Tokens.Checkbox;

const knownTypes: ReadonlySet<string> = new Set<Known['type']>([
  ...([
    'space',
    'def',
    'heading',
    'paragraph',
    'text',
    'escape',
    'strong',
    'em',
    'del',
    'codespan',
    'br',
  ] as const),
  ...(['link', 'image', 'code', 'blockquote', 'hr', 'list', 'table', 'html', 'checkbox'] as const),
]);

function isKnown(token: Token): token is Known {
  return knownTypes.has(token.type);
}

function ListView({ list }: { readonly list: Tokens.List }): ReactNode {
  const Tag = list.ordered ? 'ol' : 'ul';
  return (
    <Tag className="kit-list" {...(list.ordered && { start: Number(list.start) || 1 })}>
      {renderByIndex(list.items, (item) => (
        <li className={item.task ? 'kit-task-item' : undefined}>
          {item.task && <input type="checkbox" checked={item.checked === true} disabled aria-label="Task" />}
          <TokenViews tokens={item.tokens} />
        </li>
      ))}
    </Tag>
  );
}

function TableView({ table }: { readonly table: Tokens.Table }): ReactNode {
  const row = (cells: readonly Tokens.TableCell[], Tag: 'th' | 'td') =>
    renderByIndex(cells, (cell) => (
      <Tag className={cell.align ? `kit-${cell.align}` : undefined}>
        <TokenViews tokens={cell.tokens} />
      </Tag>
    ));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scroll areas need keyboard access
    <div role="group" className="kit-table" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>{row(table.header, 'th')}</tr>
        </thead>
        <tbody>
          {renderByIndex(table.rows, (cells) => (
            <tr>{row(cells, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
