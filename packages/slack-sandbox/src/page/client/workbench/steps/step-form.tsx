import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import { ErrorAlert } from '../../components/error-alert.tsx';
import type { ActionResult, StepInput, WorkflowStep } from '../../state/control-api.ts';
import { listHumans } from '../../state/display-names.ts';
import { errorMessage, explainSlackError } from '../../state/error-message.ts';
import { useSession } from '../../state/session.ts';
import { isJsonType, parseStepInput } from './parse-step-input.ts';

/** A step with a field for each of its inputs. */
export function StepForm({ step }: { readonly step: WorkflowStep }): ReactNode {
  const { control, me } = useSession();
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState('');
  const id = useId();
  const { title, description, inputs, callback_id, app, app_id } = step;

  async function run(event: SyntheticEvent) {
    event.preventDefault();
    setFailure('');
    try {
      const entries = inputs.flatMap((input) => {
        const value = parseStepInput(input, texts[input.name] ?? '');
        return value === undefined ? [] : [[input.name, value] as const];
      });
      const body = { user: me.id, app: app_id, callback_id, inputs: Object.fromEntries(entries) };
      const { error } = await control.post<ActionResult>('run-function', body);
      if (error) setFailure(explainSlackError(error, app));
    } catch (error) {
      setFailure(errorMessage(error));
    }
  }

  return (
    <form className="fault" aria-labelledby={`${id}-title`} onSubmit={run}>
      <h4 id={`${id}-title`}>{title}</h4>
      {description && <p>{description}</p>}
      {inputs.map((input) => (
        <div key={input.name}>
          <label htmlFor={`${id}-${input.name}`}>
            {input.title || input.name}
            {input.is_required ? '' : ' (optional)'}
          </label>
          <InputField
            id={`${id}-${input.name}`}
            input={input}
            text={texts[input.name] ?? ''}
            change={(text) => setTexts((last) => ({ ...last, [input.name]: text }))}
          />
        </div>
      ))}
      <div className="fault-fields">
        <button type="submit">Run Step</button>
      </div>
      <ErrorAlert text={failure} />
    </form>
  );
}

interface FieldProps {
  readonly id: string;
  readonly input: StepInput;
  readonly text: string;
  change(text: string): void;
}

function InputField({ id, input, text, change }: FieldProps): ReactNode {
  const { workspace } = useSession();
  const { type, is_required: required } = input;
  const choices =
    type === 'slack#/types/user_id'
      ? listHumans(workspace).map(({ id, real_name: name }) => ({ value: id, label: name }))
      : type === 'slack#/types/channel_id'
        ? workspace.channels.map(({ id, name }) => ({ value: id, label: `#${name}` }))
        : type === 'boolean'
          ? ['true', 'false'].map((value) => ({ value, label: value }))
          : undefined;
  if (!choices) {
    return (
      <input
        id={id}
        type={type === 'number' || type === 'integer' ? 'number' : 'text'}
        step={type === 'number' ? 'any' : undefined}
        placeholder={isJsonType(type) ? 'JSON' : undefined}
        required={required}
        value={text}
        onChange={({ target }) => change(target.value)}
      />
    );
  }
  return (
    <select id={id} required={required} value={text} onChange={({ target }) => change(target.value)}>
      <option value="">Choose</option>
      {choices.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
