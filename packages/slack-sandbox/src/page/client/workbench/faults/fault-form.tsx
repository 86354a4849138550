import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import { ErrorAlert } from '../../components/error-alert.tsx';
import type { FaultKind, FaultParameter } from './fault-data.ts';
import { errorMessage } from './request.ts';

interface Props {
  readonly kind: FaultKind;
  /** Whether people can choose how often the fault triggers. */
  readonly isRepeatable: boolean;
  readonly verb: string;
  /** Requests the fault in the form that the control API accepts. */
  onArm(fault: string, times: number): Promise<unknown>;
}

/** One kind of fault with its parameter and a button. */
export function FaultForm({ kind, isRepeatable, verb, onArm }: Props): ReactNode {
  const { name, title, about, detail } = kind;
  const [value, setValue] = useState(String(detail?.usual ?? ''));
  const [times, setTimes] = useState('1');
  const [failure, setFailure] = useState('');
  const id = useId();

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    setFailure('');
    try {
      await onArm(detail ? `${name}:${value}` : name, Number(times));
    } catch (error) {
      setFailure(errorMessage(error));
    }
  }

  return (
    <form className="fault" aria-labelledby={`${id}-title`} onSubmit={submit}>
      <h4 id={`${id}-title`}>{title}</h4>
      <p id={`${id}-about`}>{about}</p>
      <div className="fault-fields">
        {detail && <ParameterField detail={detail} value={value} change={setValue} />}
        {isRepeatable && (
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
      <ErrorAlert text={failure} />
    </form>
  );
}

interface ParameterProps {
  readonly detail: FaultParameter;
  readonly value: string;
  change(value: string): void;
}

function ParameterField({ detail, value, change }: ParameterProps): ReactNode {
  const id = useId();
  if (detail.kind === 'choice') {
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
