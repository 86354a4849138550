import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import type { FaultDetail, FaultKind } from './facts.ts';
import { Failure } from './failure.tsx';
import { wordsOf } from './request.ts';

interface Props {
  readonly kind: FaultKind;
  /** Whether a number of times can be asked for. */
  readonly waits: boolean;
  readonly verb: string;
  /** Asks for the fault, written as the control API takes it. */
  ask(fault: string, times: number): Promise<unknown>;
}

/** One kind of fault with what it takes, and a button that asks for it. */
export function FaultForm({ kind, waits, verb, ask }: Props): ReactNode {
  const { name, title, about, detail } = kind;
  const [value, setValue] = useState(String(detail?.usual ?? ''));
  const [times, setTimes] = useState('1');
  const [failure, setFailure] = useState('');
  const id = useId();

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    setFailure('');
    try {
      await ask(detail ? `${name}:${value}` : name, Number(times));
    } catch (error) {
      setFailure(wordsOf(error));
    }
  }

  return (
    <form className="fault" aria-labelledby={`${id}-title`} onSubmit={submit}>
      <h4 id={`${id}-title`}>{title}</h4>
      <p id={`${id}-about`}>{about}</p>
      <div className="fault-fields">
        {detail && <DetailField detail={detail} value={value} change={setValue} />}
        {waits && (
          <label>
            Times
            <input
              className="fault-times"
              type="number"
              min={1}
              max={1000}
              required
              value={times}
              onChange={({ target }) => setTimes(target.value)}
            />
          </label>
        )}
        <button type="submit" aria-describedby={`${id}-about`}>
          {verb}
        </button>
      </div>
      <Failure words={failure} />
    </form>
  );
}

interface DetailProps {
  readonly detail: FaultDetail;
  readonly value: string;
  change(value: string): void;
}

function DetailField({ detail, value, change }: DetailProps): ReactNode {
  const id = useId();
  if ('choices' in detail) {
    return (
      <label className="fault-choice">
        {detail.title}
        <input
          type="text"
          list={id}
          required
          spellCheck={false}
          value={value}
          onChange={({ target }) => change(target.value)}
          onFocus={({ target }) => target.select()}
        />
        <datalist id={id}>
          {detail.choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      </label>
    );
  }
  return (
    <label>
      {detail.title}
      <input
        type="number"
        min={detail.min}
        max={detail.max}
        required
        value={value}
        onChange={({ target }) => change(target.value)}
      />
    </label>
  );
}
