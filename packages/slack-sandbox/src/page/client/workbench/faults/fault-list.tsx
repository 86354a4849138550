import type { ReactNode } from 'react';
import { useSession } from '../../state/session.ts';
import type { PendingFault, TriggeredFault } from './fault-data.ts';

/** How many triggered faults are shown. The control API returns more. */
const maxTriggeredShown = 5;

interface Props {
  readonly pending: readonly PendingFault[];
  readonly triggered: readonly TriggeredFault[];
  cancelPending(): void;
}

/** Lists the pending faults and the latest triggered ones. */
export function FaultList({ pending, triggered, cancelPending }: Props): ReactNode {
  const { timestamps } = useSession();
  return (
    <div className="fault-state" role="status">
      {pending.length === 0 ? (
        <p className="subtle">No pending faults.</p>
      ) : (
        <>
          <ul aria-label="Pending">
            {pending.map((fault) => (
              <li key={JSON.stringify(fault)} className="is-waiting">
                <b>Pending</b> <code>{fault.fault}</code> {formatTarget(fault)}
                {fault.times > 1 && ` × ${fault.times}`}
              </li>
            ))}
          </ul>
          <button type="button" onClick={cancelPending}>
            Cancel All
          </button>
        </>
      )}
      {triggered.length > 0 && (
        <ul aria-label="Triggered">
          {triggered.slice(0, maxTriggeredShown).map((fault, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two can trigger in the same millisecond
            <li key={`${fault.at} ${index}`} className="is-struck">
              <b>Triggered</b> <code>{fault.fault}</code> {formatTarget(fault)} at{' '}
              {timestamps.clock(fault.at)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function formatTarget({ method, path }: PendingFault | TriggeredFault): string {
  return [method, path].filter(Boolean).join(' ');
}
