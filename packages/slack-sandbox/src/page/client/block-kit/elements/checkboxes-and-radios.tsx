import type { Checkboxes, Option, RadioButtons } from '@slack/types';
import { type ReactNode, useId } from 'react';
import { TextView } from '../markup/text.tsx';
import { type ElementProps, groupProps } from './element-props.ts';
import { useElement, useServerValue } from './use-element.tsx';

/** Checkboxes, of which any number can be checked. */
export function CheckboxesView(placed: ElementProps<Checkboxes>): ReactNode {
  const { element } = placed;
  return (
    <Choices
      {...placed}
      type="checkbox"
      field="selected_options"
      initial={element.initial_options}
      next={(picked, option, isOn) =>
        element.options.map(optionValue).filter((value) => (value === option ? isOn : picked.includes(value)))
      }
      answer={(options) => ({
        value: options.map(({ value }) => value),
        state: { type: element.type, selected_options: options },
      })}
    />
  );
}

/** Radio buttons, of which one can be selected. */
export function RadioButtonsView(placed: ElementProps<RadioButtons>): ReactNode {
  const { element } = placed;
  return (
    <Choices
      {...placed}
      type="radio"
      field="selected_option"
      initial={element.initial_option}
      next={(_, option) => [option]}
      answer={([option]) => ({
        value: option?.value,
        state: { type: element.type, selected_option: option ?? null },
      })}
    />
  );
}

interface ChoicesProps extends ElementProps<Checkboxes | RadioButtons> {
  readonly type: 'checkbox' | 'radio';
  readonly field: string;
  readonly initial: unknown;
  next(picked: readonly string[], option: string, isOn: boolean): string[];
  answer(options: readonly Option[]): { value: unknown; state: Record<string, unknown> };
}

function Choices({ type, field, initial, next, answer, ...placed }: ChoicesProps): ReactNode {
  const { element, input } = placed;
  const { state, isPending, isFormInput, select, feedback } = useElement(placed);
  const [picked, setPicked, setIsOwn] = useServerValue(readValues(state ? state[field] : initial));
  const name = useId();

  async function change(option: string, isOn: boolean) {
    const before = picked;
    const after = next(picked, option, isOn);
    setPicked(after);
    setIsOwn(true);
    const isTaken = await select(answer(element.options.filter((one) => after.includes(optionValue(one)))));
    if (!isTaken) setPicked(before);
    if (!isFormInput) setIsOwn(false);
  }

  return (
    <span className="kit-element">
      <span
        role={type === 'radio' ? 'radiogroup' : 'group'}
        className="kit-options"
        aria-busy={isPending}
        {...groupProps(input, type === 'radio' ? 'Choose one' : 'Choose any')}
      >
        {element.options.map((option, index) => (
          <label key={optionValue(option)} className="kit-option">
            <input
              type={type}
              name={name}
              checked={picked.includes(optionValue(option))}
              onChange={({ target }) => void change(optionValue(option), target.checked)}
              aria-invalid={input?.isInvalid || undefined}
              data-focus-on-load={(element.focus_on_load && index === 0) || undefined}
            />
            <span>
              <TextView text={option.text} />
              {option.description && (
                <small>
                  <TextView text={option.description} />
                </small>
              )}
            </span>
          </label>
        ))}
      </span>
      {feedback}
    </span>
  );
}

const optionValue = ({ value = '' }: Option) => value;

function readValues(held: unknown): string[] {
  return [held ?? []]
    .flat()
    .flatMap((item: unknown) =>
      typeof item === 'object' && item !== null && 'value' in item ? [String(item.value)] : [],
    );
}
