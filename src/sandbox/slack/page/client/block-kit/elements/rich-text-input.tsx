import type { RichTextInput } from '@slack/types';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { RichTextView } from '../blocks/rich-text.tsx';
import { Sign } from '../sign.tsx';
import { controlProps, type Placed } from './placed.ts';
import { markedText, richTextOf } from './rich-text-markup.ts';
import { useElement, useHeld } from './use-element.tsx';

interface Tool {
  readonly name: string;
  readonly sign: ReactNode;
  /** What is written around the selection. */
  readonly around?: string;
  /** What is written before each line. */
  readonly before?: string;
  readonly key?: string;
}

const tools: readonly Tool[] = [
  { name: 'Bold', sign: 'B', around: '*', key: 'b' },
  { name: 'Italic', sign: 'I', around: '_', key: 'i' },
  { name: 'Strikethrough', sign: 'S', around: '~' },
  { name: 'Code', sign: '</>', around: '`' },
  { name: 'Bulleted list', sign: <Sign name="list" />, before: '- ' },
  { name: 'Ordered list', sign: <Sign name="numbers" />, before: '1. ' },
  { name: 'Quote', sign: <Sign name="quote" />, before: '> ' },
];

/** A field for rich text: it is written with marks, which a toolbar sets, and shown as it will look. */
export function RichTextInputView(placed: Placed<RichTextInput>): ReactNode {
  const { element, input } = placed;
  const { held, isPending, isKept, use, keep, beside } = useElement(placed);
  const [text, setText, setIsOwn] = useHeld(markedText(held ? held.rich_text_value : element.initial_value));
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
    const value = next.trim() === '' ? undefined : richTextOf(next);
    keep({ value, state: { type: element.type, rich_text_value: value ?? null } });
  }

  function apply({ around, before }: Tool) {
    const { selectionStart: from, selectionEnd: to } = area.current ?? { selectionStart: 0, selectionEnd: 0 };
    area.current?.focus();
    if (around) {
      selection.current = [from + around.length, to + around.length];
      change(text.slice(0, from) + around + text.slice(from, to) + around + text.slice(to));
    } else if (before) {
      const start = text.lastIndexOf('\n', from - 1) + 1;
      const lines = text.slice(start, to).replaceAll(/^/gm, before);
      selection.current = [start + lines.length, start + lines.length];
      change(text.slice(0, start) + lines + text.slice(to));
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    const isCommand = event.ctrlKey || event.metaKey;
    const tool = isCommand && tools.find(({ key }) => key === event.key.toLowerCase());
    if (tool) {
      event.preventDefault();
      apply(tool);
    } else if (event.key === 'Enter' && isCommand && !isKept) {
      event.preventDefault();
      event.stopPropagation();
      void use(richTextOf(text));
    }
  }

  return (
    <span className="kit-element kit-wide">
      <div className="kit-rich">
        <div className="kit-rich-tools" role="toolbar" aria-label="Formatting">
          {tools.map((tool) => (
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
            <RichTextView block={richTextOf(text)} />
          </div>
        )}
      </div>
      {beside}
    </span>
  );
}
