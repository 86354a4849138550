import type { Datepicker, DateTimepicker, Timepicker } from '@slack/types';
import { type ReactNode, useRef } from 'react';
import { useSurface } from '../../surface.ts';
import { controlProps, type ElementProps, type ElementValue } from '../element-props.ts';
import { useElement, useServerValue } from '../use-element.tsx';
import { formatZonedTime, parseZonedTime } from './zoned-time.ts';

type Picker = Datepicker | Timepicker | DateTimepicker;

/** A date picker. */
export function DatepickerView(placed: ElementProps<Datepicker>): ReactNode {
  const { element } = placed;
  const read = (text: string): ElementValue => ({
    value: text || undefined,
    state: { type: element.type, selected_date: text || null },
  });
  return (
    <NativePicker {...placed} type="date" field="selected_date" initial={element.initial_date} parse={read} />
  );
}

/** A time picker. If it has a time zone of its own, that is shown below it. */
export function TimepickerView(placed: ElementProps<Timepicker>): ReactNode {
  const { element } = placed;
  const read = (text: string): ElementValue => ({
    value: text || undefined,
    state: { type: element.type, selected_time: text || null },
  });
  return (
    <NativePicker
      {...placed}
      type="time"
      field="selected_time"
      initial={element.initial_time}
      parse={read}
      note={element.timezone}
    />
  );
}

/** A date and time picker in the viewer's time zone. */
export function DateTimepickerView(placed: ElementProps<DateTimepicker>): ReactNode {
  const { timeZone } = useSurface();
  const { element } = placed;
  const read = (text: string): ElementValue => {
    const seconds = text ? parseZonedTime(text, timeZone) : undefined;
    return { value: seconds, state: { type: element.type, selected_date_time: seconds ?? null } };
  };
  return (
    <NativePicker
      {...placed}
      type="datetime-local"
      field="selected_date_time"
      initial={element.initial_date_time}
      parse={read}
      format={(held) => (typeof held === 'number' ? formatZonedTime(held, timeZone) : '')}
      note={timeZone}
    />
  );
}

interface NativePickerProps extends ElementProps<Picker> {
  readonly type: 'date' | 'time' | 'datetime-local';
  /** The field in `state.values`. */
  readonly field: string;
  readonly initial: unknown;
  readonly note?: string | undefined;
  parse(text: string): ElementValue;
  format?(held: unknown): string;
}

const pickerLabels = {
  date: 'Choose a date',
  time: 'Choose a time',
  'datetime-local': 'Choose a date and time',
};

function NativePicker({
  type,
  field,
  initial,
  note,
  parse,
  format = toText,
  ...placed
}: NativePickerProps): ReactNode {
  const { element, input } = placed;
  const { state, isPending, isFormInput, select, feedback } = useElement(placed);
  const [text, setText, setIsOwn] = useServerValue(format(state ? state[field] : initial));
  const sent = useRef(text);
  /**
   * Whether the person is typing. Each digit of the year then emits a full date, but only the last
   * one counts.
   */
  const isTyping = useRef(false);
  const name = ('placeholder' in element && element.placeholder?.text) || pickerLabels[type];

  async function send(next: string) {
    if (next === sent.current) return;
    const before = sent.current;
    sent.current = next;
    setIsOwn(true);
    const isTaken = await select(parse(next));
    if (!isTaken) {
      sent.current = before;
      setText(before);
    }
    if (!isFormInput) setIsOwn(false);
  }

  return (
    <span className="kit-element">
      <input
        {...controlProps(input, name)}
        type={type}
        className="kit-field kit-picker"
        value={text}
        aria-busy={isPending}
        title={name}
        data-focus-on-load={element.focus_on_load || undefined}
        onKeyDown={({ key }) => {
          isTyping.current = key !== 'Enter' && key !== 'Tab';
          if (key === 'Enter') void send(text);
        }}
        onPointerDown={() => {
          isTyping.current = false;
        }}
        onChange={({ target }) => {
          setText(target.value);
          if (isFormInput || !isTyping.current) void send(target.value);
        }}
        onBlur={() => {
          isTyping.current = false;
          void send(text);
        }}
      />
      {note && <small className="kit-note">{note.replaceAll('_', ' ')}</small>}
      {feedback}
    </span>
  );
}

function toText(held: unknown): string {
  return typeof held === 'string' ? held : '';
}
