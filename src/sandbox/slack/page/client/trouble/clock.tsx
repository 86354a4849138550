import { type ReactNode, type SyntheticEvent, useState } from 'react';
import type { Control } from '../control.ts';
import { Failure } from './failure.tsx';
import { wordsOf } from './request.ts';

const minuteMs = 60_000;

const steps = [
  { label: '+ 1 min', ms: minuteMs },
  { label: '+ 10 min', ms: 10 * minuteMs },
  { label: '+ 1 day', ms: 24 * 60 * minuteMs },
];

interface Props {
  readonly control: Control;
  /** The sandbox's time when it was last told. */
  readonly nowMs: number;
}

/** Moves the workspace's time forward. */
export function Clock({ control, nowMs }: Props): ReactNode {
  const [minutes, setMinutes] = useState('30');
  const [failure, setFailure] = useState('');

  function advance(ms: number) {
    control.post('clock', { advance_ms: ms }).then(
      () => setFailure(''),
      (error) => setFailure(wordsOf(error)),
    );
  }

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    advance(Math.round(Number(minutes) * minuteMs));
  }

  return (
    <form className="fault" aria-labelledby="clock-title" onSubmit={submit}>
      <h4 id="clock-title">Advance the clock</h4>
      <p>
        What is due on the way happens: retries, expiries, refreshed connections, of which an app with several
        keeps one at any time. It was{' '}
        <time dateTime={new Date(nowMs).toISOString()}>{new Date(nowMs).toLocaleString()}</time> when last
        asked.
      </p>
      <div className="fault-fields">
        {steps.map(({ label, ms }) => (
          <button key={label} type="button" onClick={() => advance(ms)}>
            {label}
          </button>
        ))}
        <label>
          Minutes
          <input
            type="number"
            min={0}
            step="any"
            required
            value={minutes}
            onChange={({ target }) => setMinutes(target.value)}
          />
        </label>
        <button type="submit">Advance</button>
      </div>
      <Failure words={failure} />
    </form>
  );
}
