import type { EmailInput, NumberInput, PlainTextInput, URLInput } from '@slack/types';
import { type HTMLAttributes, type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { controlProps, type Placed } from './placed.ts';
import { useElement, useHeld } from './use-element.tsx';

type TextElement = PlainTextInput | NumberInput | EmailInput | URLInput;

const modes: Readonly<Record<TextElement['type'], HTMLAttributes<HTMLElement>['inputMode']>> = {
  plain_text_input: 'text',
  number_input: 'decimal',
  email_text_input: 'email',
  url_text_input: 'url',
};

/** How long typing rests before the app hears of it with `on_character_entered`. */
const restMs = 300;

/** A field for text, a number, a mail address or a web address. */
export function TextInputView(placed: Placed<TextElement>): ReactNode {
  const { element, input } = placed;
  const { held, isPending, use, keep, beside } = useElement(placed);
  const [text, setText, setIsOwn] = useHeld(textIn(held ? held.value : element.initial_value));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const countId = useId();
  const isMultiline = element.type === 'plain_text_input' && element.multiline === true;
  const triggers = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'];
  const isDispatching = !input || input.isDispatching;

  useEffect(() => () => clearTimeout(timer.current), []);

  function change(next: string) {
    setText(next);
    setIsOwn(true);
    keep({ value: next || undefined, state: { type: element.type, value: next || null } });
    if (!isDispatching || !triggers.includes('on_character_entered')) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void use(next), restMs);
  }

  function onKeyDown(event: KeyboardEvent) {
    const isEnter = event.key === 'Enter' && !event.nativeEvent.isComposing && !event.shiftKey;
    if (!isEnter || !isDispatching || !triggers.includes('on_enter_pressed')) return;
    event.preventDefault();
    clearTimeout(timer.current);
    void use(text);
  }

  const count = countOf(element, text);
  const label = element.placeholder?.text ?? 'Text';
  const control = controlProps(input, label);
  const props = {
    ...control,
    ...(count && { 'aria-describedby': `${countId} ${input?.describedBy ?? ''}`.trim() }),
    className: 'kit-field',
    value: text,
    placeholder: element.placeholder?.text,
    autoComplete: 'off',
    inputMode: modes[element.type],
    'aria-busy': isPending,
    'data-focus-on-load': element.focus_on_load || undefined,
    onChange: ({ target }: { target: { value: string } }) => change(target.value),
    onKeyDown,
  };
  return (
    <span className="kit-element kit-wide">
      {isMultiline ? <textarea {...props} rows={4} /> : <input {...props} type="text" />}
      {count && (
        <small id={countId} className={count.isWrong ? 'kit-count kit-failed' : 'kit-count'}>
          {count.text}
        </small>
      )}
      {beside}
    </span>
  );
}

/** Says how much room is left when it gets scarce, and how much is missing once something was typed. */
function countOf(element: TextElement, { length }: string): { text: string; isWrong: boolean } | undefined {
  if (element.type !== 'plain_text_input') return undefined;
  const { min_length: min = 0, max_length: max } = element;
  if (length > 0 && length < min) return { text: `${characters(min - length)} more needed`, isWrong: false };
  if (max === undefined || max - length > Math.max(20, max / 5)) return undefined;
  const left = max - length;
  return left < 0
    ? { text: `${characters(-left)} too many`, isWrong: true }
    : { text: `${characters(left)} left`, isWrong: false };
}

function characters(count: number): string {
  return `${count} ${count === 1 ? 'character' : 'characters'}`;
}

function textIn(held: unknown): string {
  return typeof held === 'string' ? held : '';
}
