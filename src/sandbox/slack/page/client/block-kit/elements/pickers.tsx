import type { Datepicker, DateTimepicker, Timepicker } from '@slack/types';
import { type ReactNode, useRef } from 'react';
import { useSurface } from '../surface.ts';
import { type Answer, controlProps, type Placed } from './placed.ts';
import { useElement, useHeld } from './use-element.tsx';
import { clockAt, momentAt } from './zoned-time.ts';

type Picker = Datepicker | Timepicker | DateTimepicker;

/** Picks a day. */
export function DatepickerView(placed: Placed<Datepicker>): ReactNode {
  const { element } = placed;
  const read = (text: string): Answer => ({
    value: text || undefined,
    state: { type: element.type, selected_date: text || null },
  });
  return (
    <NativePicker {...placed} type="date" field="selected_date" initial={element.initial_date} read={read} />
  );
}

/** Picks a time of day; a time zone of its own stands beneath. */
export function TimepickerView(placed: Placed<Timepicker>): ReactNode {
  const { element } = placed;
  const read = (text: string): Answer => ({
    value: text || undefined,
    state: { type: element.type, selected_time: text || null },
  });
  return (
    <NativePicker
      {...placed}
      type="time"
      field="selected_time"
      initial={element.initial_time}
      read={read}
      note={element.timezone}
    />
  );
}

/** Picks a moment, in the viewer's zone. */
export function DateTimepickerView(placed: Placed<DateTimepicker>): ReactNode {
  const { timeZone } = useSurface();
  const { element } = placed;
  const read = (text: string): Answer => {
    const seconds = text ? momentAt(text, timeZone) : undefined;
    return { value: seconds, state: { type: element.type, selected_date_time: seconds ?? null } };
  };
  return (
    <NativePicker
      {...placed}
      type="datetime-local"
      field="selected_date_time"
      initial={element.initial_date_time}
      read={read}
      write={(held) => (typeof held === 'number' ? clockAt(held, timeZone) : '')}
      note={timeZone}
    />
  );
}

interface NativePickerProps extends Placed<Picker> {
  readonly type: 'date' | 'time' | 'datetime-local';
  /** The field of `state.values`. */
  readonly field: string;
  readonly initial: unknown;
  readonly note?: string | undefined;
  read(text: string): Answer;
  write?(held: unknown): string;
}

const names = { date: 'Choose a date', time: 'Choose a time', 'datetime-local': 'Choose a date and time' };

function NativePicker({
  type,
  field,
  initial,
  note,
  read,
  write = textOf,
  ...placed
}: NativePickerProps): ReactNode {
  const { element, input } = placed;
  const { held, isPending, isKept, choose, beside } = useElement(placed);
  const [text, setText, setIsOwn] = useHeld(write(held ? held[field] : initial));
  const sent = useRef(text);
  /** Typing gives a whole date at each digit of the year; only the last one is meant. */
  const isTyping = useRef(false);
  const name = ('placeholder' in element && element.placeholder?.text) || names[type];

  async function send(next: string) {
    if (next === sent.current) return;
    const before = sent.current;
    sent.current = next;
    setIsOwn(true);
    const isTaken = await choose(read(next));
    if (!isTaken) {
      sent.current = before;
      setText(before);
    }
    if (!isKept) setIsOwn(false);
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
          if (isKept || !isTyping.current) void send(target.value);
        }}
        onBlur={() => {
          isTyping.current = false;
          void send(text);
        }}
      />
      {note && <small className="kit-note">{note.replaceAll('_', ' ')}</small>}
      {beside}
    </span>
  );
}

function textOf(held: unknown): string {
  return typeof held === 'string' ? held : '';
}
