import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { ErrorAlert } from '../../components/error-alert.tsx';
import type { ControlClient } from '../../state/control-client.ts';
import { useSession } from '../../state/session.ts';
import { errorMessage } from './request.ts';

const minuteMs = 60_000;

const steps = [
  { label: '+ 1 min', ms: minuteMs },
  { label: '+ 10 min', ms: 10 * minuteMs },
  { label: '+ 1 day', ms: 24 * 60 * minuteMs },
];

interface Props {
  readonly control: ControlClient;
  /** The sandbox's last known time in epoch ms. */
  readonly nowMs: number;
}

/** Advances the workspace's time. */
export function ClockControl({ control, nowMs }: Props): ReactNode {
  const { timestamps } = useSession();
  const [minutes, setMinutes] = useState('30');
  const [failure, setFailure] = useState('');

  function advance(ms: number) {
    control.post('clock', { advance_ms: ms }).then(
      () => setFailure(''),
      (error) => setFailure(errorMessage(error)),
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
        Runs everything scheduled in between: retries, expiries and reconnects. The last known time was{' '}
        <time dateTime={new Date(nowMs).toISOString()}>{timestamps.full(String(nowMs / 1000))}</time>.
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
      <ErrorAlert text={failure} />
    </form>
  );
}
