import { type ReactNode, useState } from 'react';
import type { Control } from '../control.ts';
import { Failure } from './failure.tsx';
import { wordsOf } from './request.ts';

interface Props {
  readonly control: Control;
  readonly isRevoked: boolean;
}

/** Takes the app's token away, and gives it back by beginning anew. */
export function Token({ control, isRevoked }: Props): ReactNode {
  const [failure, setFailure] = useState('');
  const post = (path: string, body?: Record<string, unknown>) =>
    control.post(path, body).then(
      () => setFailure(''),
      (error) => setFailure(wordsOf(error)),
    );
  return (
    <>
      <section className="fault" aria-labelledby="token-title">
        <h4 id="token-title">Revoke the token</h4>
        <p>
          Every call is answered <code>token_revoked</code>, as after an uninstall. A reset gives it back; an
          app that has forgotten the workspace meanwhile has to be installed in it again.
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
        <Failure words={failure} />
      </section>
      <section className="fault" aria-labelledby="reset-title">
        <h4 id="reset-title">Begin anew</h4>
        <p>Messages, views, faults and tokens as at the start. Connections, the clock and the guide stay.</p>
        <div className="fault-fields">
          <button type="button" onClick={() => post('reset')}>
            Reset the Workspace
          </button>
        </div>
      </section>
    </>
  );
}
