import type { Checkboxes, Option, RadioButtons } from '@slack/types';
import { type ReactNode, useId } from 'react';
import { TextView } from '../markup/text.tsx';
import { groupProps, type Placed } from './placed.ts';
import { useElement, useHeld } from './use-element.tsx';

/** Boxes of which any number may be ticked. */
export function CheckboxesView(placed: Placed<Checkboxes>): ReactNode {
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

/** Buttons of which one is pressed. */
export function RadioButtonsView(placed: Placed<RadioButtons>): ReactNode {
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

interface ChoicesProps extends Placed<Checkboxes | RadioButtons> {
  readonly type: 'checkbox' | 'radio';
  readonly field: string;
  readonly initial: unknown;
  next(picked: readonly string[], option: string, isOn: boolean): string[];
  answer(options: readonly Option[]): { value: unknown; state: Record<string, unknown> };
}

function Choices({ type, field, initial, next, answer, ...placed }: ChoicesProps): ReactNode {
  const { element, input } = placed;
  const { held, isPending, isKept, choose, beside } = useElement(placed);
  const [picked, setPicked, setIsOwn] = useHeld(valuesIn(held ? held[field] : initial));
  const name = useId();

  async function change(option: string, isOn: boolean) {
    const before = picked;
    const after = next(picked, option, isOn);
    setPicked(after);
    setIsOwn(true);
    const isTaken = await choose(answer(element.options.filter((one) => after.includes(optionValue(one)))));
    if (!isTaken) setPicked(before);
    if (!isKept) setIsOwn(false);
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
      {beside}
    </span>
  );
}

const optionValue = ({ value = '' }: Option) => value;

function valuesIn(held: unknown): string[] {
  return [held ?? []]
    .flat()
    .flatMap((item: unknown) =>
      typeof item === 'object' && item !== null && 'value' in item ? [String(item.value)] : [],
    );
}
