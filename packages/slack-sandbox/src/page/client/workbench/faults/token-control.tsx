import { type ReactNode, useState } from 'react';
import { ErrorAlert } from '../../components/error-alert.tsx';
import type { ControlClient } from '../../state/control-client.ts';
import { errorMessage } from './request.ts';

interface Props {
  readonly control: ControlClient;
  readonly isRevoked: boolean;
}

/** Revokes the app's token. A reset restores it. */
export function TokenControl({ control, isRevoked }: Props): ReactNode {
  const [failure, setFailure] = useState('');
  const post = (path: string, body?: Record<string, unknown>) =>
    control.post(path, body).then(
      () => setFailure(''),
      (error) => setFailure(errorMessage(error)),
    );
  return (
    <>
      <section className="fault" aria-labelledby="token-title">
        <h4 id="token-title">Revoke the token</h4>
        <p>
          Every call gets <code>token_revoked</code>, as after an uninstall. A reset restores the token. If
          the app has deleted its installation of this workspace meanwhile, install it again.
        </p>
        <div className="fault-fields">
          <button
            type="button"
            className="danger"
            disabled={isRevoked}
            onClick={() => post('faults', { fault: 'revoke' })}
          >
            Revoke
          </button>
          {isRevoked && <strong role="status">The token is revoked.</strong>}
        </div>
        <ErrorAlert text={failure} />
      </section>
      <section className="fault" aria-labelledby="reset-title">
        <h4 id="reset-title">Start over</h4>
        <p>
          Restores the initial messages, views, faults and tokens. Connections, the clock and the guide stay.
        </p>
        <div className="fault-fields">
          <button type="button" onClick={() => post('reset')}>
            Reset the Workspace
          </button>
        </div>
      </section>
    </>
  );
}
