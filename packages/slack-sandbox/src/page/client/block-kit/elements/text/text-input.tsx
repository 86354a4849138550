import type { EmailInput, NumberInput, PlainTextInput, URLInput } from '@slack/types';
import { type HTMLAttributes, type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { controlProps, type ElementProps } from '../element-props.ts';
import { useElement, useServerValue } from '../use-element.tsx';

type TextElement = PlainTextInput | NumberInput | EmailInput | URLInput;

const inputModes: Readonly<Record<TextElement['type'], HTMLAttributes<HTMLElement>['inputMode']>> = {
  plain_text_input: 'text',
  number_input: 'decimal',
  email_text_input: 'email',
  url_text_input: 'url',
};

/** How long the text must stay unchanged before `on_character_entered` notifies the app. */
const debounceMs = 300;

/** A field for text, numbers, email addresses or URLs. */
export function TextInputView(placed: ElementProps<TextElement>): ReactNode {
  const { element, input } = placed;
  const { state, isPending, trigger, setInput, feedback } = useElement(placed);
  const [text, setText, setIsOwn] = useServerValue(readText(state ? state.value : element.initial_value));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const countId = useId();
  const isMultiline = element.type === 'plain_text_input' && element.multiline === true;
  const triggers = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'];
  const isDispatching = !input || input.isDispatching;

  useEffect(() => () => clearTimeout(timer.current), []);

  function change(next: string) {
    setText(next);
    setIsOwn(true);
    setInput({ value: next || undefined, state: { type: element.type, value: next || null } });
    if (!isDispatching || !triggers.includes('on_character_entered')) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void trigger(next), debounceMs);
  }

  function onKeyDown(event: KeyboardEvent) {
    const isEnter = event.key === 'Enter' && !event.nativeEvent.isComposing && !event.shiftKey;
    if (!isEnter || !isDispatching || !triggers.includes('on_enter_pressed')) return;
    event.preventDefault();
    clearTimeout(timer.current);
    void trigger(text);
  }

  const count = describeLength(element, text);
  const label = element.placeholder?.text ?? 'Text';
  const control = controlProps(input, label);
  const props = {
    ...control,
    ...(count && { 'aria-describedby': `${countId} ${input?.describedBy ?? ''}`.trim() }),
    className: 'kit-field',
    value: text,
    placeholder: element.placeholder?.text,
    autoComplete: 'off',
    inputMode: inputModes[element.type],
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
      {feedback}
    </span>
  );
}

/**
 * Says how many characters are left if they are few. Once something was typed, says how many are
 * missing.
 */
function describeLength(
  element: TextElement,
  { length }: string,
): { text: string; isWrong: boolean } | undefined {
  if (element.type !== 'plain_text_input') return undefined;
  const { min_length: min = 0, max_length: max } = element;
  if (length > 0 && length < min)
    return { text: `${pluralizeCharacters(min - length)} more needed`, isWrong: false };
  if (max === undefined || max - length > Math.max(20, max / 5)) return undefined;
  const left = max - length;
  return left < 0
    ? { text: `${pluralizeCharacters(-left)} too many`, isWrong: true }
    : { text: `${pluralizeCharacters(left)} left`, isWrong: false };
}

function pluralizeCharacters(count: number): string {
  return `${count} ${count === 1 ? 'character' : 'characters'}`;
}

function readText(held: unknown): string {
  return typeof held === 'string' ? held : '';
}
