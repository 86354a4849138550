import type { ReactNode } from 'react';
import { useSession } from '../../state/session.ts';
import { useControlData } from '../../state/use-control-data.ts';
import { type Execution, ExecutionList } from './execution-list.tsx';
import { StepForm } from './step-form.tsx';

/** Runs the app's steps for Workflow Builder. Lists their runs, the newest first. */
export function StepsPanel(): ReactNode {
  const { control, workspace } = useSession();
  const { data, error } = useControlData<{ executions: readonly Execution[] }>(
    control,
    'function-executions',
    ['functions'],
  );
  if (error) return <p className="workbench-empty">Runs cannot be loaded: {error}</p>;
  if (!data) return null;
  const { functions } = workspace;
  return (
    <div className="trouble">
      <section className="trouble-part" aria-labelledby="steps-title">
        <h3 id="steps-title">Workflow steps</h3>
        <p className="subtle">Runs a step as a workflow with this one step does.</p>
        {functions.map((step) => (
          <StepForm key={`${step.app_id} ${step.callback_id}`} step={step} />
        ))}
      </section>
      <ExecutionList executions={data.executions.toReversed()} steps={functions} />
    </div>
  );
}
