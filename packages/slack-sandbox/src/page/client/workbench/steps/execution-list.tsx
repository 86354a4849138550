import type { ReactNode } from 'react';
import type { WorkflowStep } from '../../state/control-api.ts';
import { useSession } from '../../state/session.ts';

export interface Execution {
  readonly id: string;
  readonly callback_id: string;
  readonly user: string;
  readonly state: 'running' | 'completed' | 'failed';
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly error?: string;
}

const stateTexts: Readonly<Record<Execution['state'], string>> = {
  running: 'Waiting for the app to complete it',
  completed: 'Completed',
  failed: 'Failed',
};

interface Props {
  readonly executions: readonly Execution[];
  readonly steps: readonly WorkflowStep[];
}

/** The runs of steps, and what the app answered. */
export function ExecutionList({ executions, steps }: Props): ReactNode {
  const { names } = useSession();
  if (executions.length === 0) return null;
  return (
    <section className="trouble-part" aria-labelledby="executions-title">
      <h3 id="executions-title">Runs</h3>
      <ol className="executions">
        {executions.map(({ id, callback_id: callbackId, user, state, inputs, outputs, error }) => (
          <li key={id} className="fault">
            <h4>{steps.find((step) => step.callback_id === callbackId)?.title ?? callbackId}</h4>
            <p>
              <strong className={`execution-${state}`}>{stateTexts[state]}</strong> · {names.user(user)}
            </p>
            <Values title="Inputs" values={inputs} />
            {outputs && <Values title="Outputs" values={outputs} />}
            {error !== undefined && <p className="fault-failure">{error}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Values({ title, values }: { readonly title: string; readonly values: object }): ReactNode {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return (
    <dl aria-label={title}>
      <dt className="execution-part">{title}</dt>
      {entries.map(([name, value]) => (
        <dd key={name}>
          {name}: <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
        </dd>
      ))}
    </dl>
  );
}
