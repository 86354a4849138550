import type { ReactNode } from 'react';
import type { StruckFault, WaitingFault } from './facts.ts';

/** Most strikes listed; there are more in the answer of the control API. */
const strikesShown = 5;

interface Props {
  readonly waiting: readonly WaitingFault[];
  readonly struck: readonly StruckFault[];
  callOff(): void;
}

/** Tells which faults wait for their occasion, and which struck last. */
export function FaultState({ waiting, struck, callOff }: Props): ReactNode {
  return (
    <div className="fault-state" role="status">
      {waiting.length === 0 ? (
        <p className="subtle">Nothing waits to go wrong.</p>
      ) : (
        <>
          <ul aria-label="Waiting">
            {waiting.map((fault) => (
              <li key={JSON.stringify(fault)} className="is-waiting">
                <b>Waiting</b> <code>{fault.fault}</code> {placeOf(fault)}
                {fault.times > 1 && ` × ${fault.times}`}
              </li>
            ))}
          </ul>
          <button type="button" onClick={callOff}>
            Call All Off
          </button>
        </>
      )}
      {struck.length > 0 && (
        <ul aria-label="Struck">
          {struck.slice(0, strikesShown).map((fault, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may strike in the same millisecond
            <li key={`${fault.at} ${index}`} className="is-struck">
              <b>Struck</b> <code>{fault.fault}</code> {placeOf(fault)} at {timeOf(fault.at)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function placeOf({ method, path }: WaitingFault | StruckFault): string {
  return [method, path].filter(Boolean).join(' ');
}

/** Writes a moment as a clock shows it, seconds included. */
export function timeOf(atMs: number): string {
  return new Date(atMs).toLocaleTimeString(undefined, { hourCycle: 'h23' });
}
