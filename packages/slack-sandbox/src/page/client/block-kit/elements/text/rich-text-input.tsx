import type { RichTextInput } from '@slack/types';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { RichTextView } from '../../blocks/rich-text.tsx';
import { KitIcon } from '../../kit-icon.tsx';
import { controlProps, type ElementProps } from '../element-props.ts';
import { useElement, useServerValue } from '../use-element.tsx';
import { formatRichText, parseRichText } from './rich-text-markup.ts';

interface FormatTool {
  readonly name: string;
  readonly sign: ReactNode;
  /** Mark that is inserted around the selection. */
  readonly wrapMark?: string;
  /** Prefix that is inserted before each line. */
  readonly linePrefix?: string;
  readonly key?: string;
}

const formatTools: readonly FormatTool[] = [
  { name: 'Bold', sign: 'B', wrapMark: '*', key: 'b' },
  { name: 'Italic', sign: 'I', wrapMark: '_', key: 'i' },
  { name: 'Strikethrough', sign: 'S', wrapMark: '~' },
  { name: 'Code', sign: '</>', wrapMark: '`' },
  { name: 'Bulleted list', sign: <KitIcon name="list" />, linePrefix: '- ' },
  { name: 'Ordered list', sign: <KitIcon name="numbers" />, linePrefix: '1. ' },
  { name: 'Quote', sign: <KitIcon name="quote" />, linePrefix: '> ' },
];

/**
 * A field for rich text. People write the text with marks, which a toolbar inserts. A preview is
 * shown below.
 */
export function RichTextInputView(placed: ElementProps<RichTextInput>): ReactNode {
  const { element, input } = placed;
  const { state, isPending, isFormInput, trigger, setInput, feedback } = useElement(placed);
  const [text, setText, setIsOwn] = useServerValue(
    formatRichText(state ? state.rich_text_value : element.initial_value),
  );
  const area = useRef<HTMLTextAreaElement>(null);
  const selection = useRef<readonly [number, number]>(undefined);
  const label = element.placeholder?.text ?? 'Rich text';
  const { min_lines: minLines = 3, max_lines: maxLines = 8 } = element;

  useLayoutEffect(() => {
    if (selection.current) area.current?.setSelectionRange(...selection.current);
    selection.current = undefined;
  });

  function change(next: string) {
    setText(next);
    setIsOwn(true);
    const value = next.trim() === '' ? undefined : parseRichText(next);
    setInput({ value, state: { type: element.type, rich_text_value: value ?? null } });
  }

  function apply({ wrapMark, linePrefix }: FormatTool) {
    const { selectionStart: from, selectionEnd: to } = area.current ?? { selectionStart: 0, selectionEnd: 0 };
    area.current?.focus();
    if (wrapMark) {
      selection.current = [from + wrapMark.length, to + wrapMark.length];
      change(text.slice(0, from) + wrapMark + text.slice(from, to) + wrapMark + text.slice(to));
    } else if (linePrefix) {
      const start = text.lastIndexOf('\n', from - 1) + 1;
      const lines = text.slice(start, to).replaceAll(/^/gm, linePrefix);
      selection.current = [start + lines.length, start + lines.length];
      change(text.slice(0, start) + lines + text.slice(to));
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    const isCommand = event.ctrlKey || event.metaKey;
    const tool = isCommand && formatTools.find(({ key }) => key === event.key.toLowerCase());
    if (tool) {
      event.preventDefault();
      apply(tool);
    } else if (event.key === 'Enter' && isCommand && !isFormInput) {
      event.preventDefault();
      event.stopPropagation();
      void trigger(parseRichText(text));
    }
  }

  return (
    <span className="kit-element kit-wide">
      <div className="kit-rich">
        <div className="kit-rich-tools" role="toolbar" aria-label="Formatting">
          {formatTools.map((tool) => (
            <button
              key={tool.name}
              type="button"
              aria-label={tool.name}
              title={tool.name}
              onClick={() => apply(tool)}
            >
              <span aria-hidden="true">{tool.sign}</span>
            </button>
          ))}
        </div>
        <textarea
          ref={area}
          {...controlProps(input, label)}
          className="kit-field"
          value={text}
          rows={Math.max(minLines, Math.min(maxLines, text.split('\n').length))}
          placeholder={element.placeholder?.text}
          aria-busy={isPending}
          data-focus-on-load={element.focus_on_load || undefined}
          onChange={({ target }) => change(target.value)}
          onKeyDown={onKeyDown}
        />
        {/[*_~`>]|^ *(?:[-•]|\d+\.) /m.test(text) && (
          <div className="kit-rich-preview" aria-hidden="true">
            <RichTextView block={parseRichText(text)} />
          </div>
        )}
      </div>
      {feedback}
    </span>
  );
}
