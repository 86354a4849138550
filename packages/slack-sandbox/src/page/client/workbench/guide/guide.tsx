import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.tsx';
import { useComposer } from '../../composer/composer-context.ts';
import type { ControlClient } from '../../state/control-client.ts';
import { useControlData } from '../../state/use-control-data.ts';

interface Step {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly try?:
    | { readonly kind: 'command'; readonly text: string }
    | { readonly kind: 'link'; readonly url: string };
  readonly done_at: number | null;
}

interface ReadNext {
  readonly text: string;
  readonly links: readonly { readonly title: string; readonly url: string }[];
}

/** The response of `GET /sandbox/guide`. */
interface GuideData {
  readonly steps: readonly Step[];
  readonly read_next: ReadNext | null;
}

/** Leads a newcomer through a few steps. Each step is ticked when the sandbox sees it happen. */
export function Guide({ control }: { readonly control: ControlClient }): ReactNode {
  const { data, error, setData } = useControlData<GuideData>(control, 'guide', ['guide']);
  if (error) return <p className="workbench-empty">The guide cannot be loaded: {error}</p>;
  if (!data) return null;
  const { steps, read_next } = data;
  if (steps.length === 0) return <p className="workbench-empty">This sandbox was started without a guide.</p>;
  const done = steps.filter(({ done_at }) => done_at !== null).length;
  const next = steps.find(({ done_at }) => done_at === null);
  const restart = async () => setData(await control.post<GuideData>('guide/restart'));

  return (
    <section className="guide" aria-labelledby="guide-title">
      <h2 id="guide-title">Your first minute</h2>
      <div className="guide-progress">
        <progress max={steps.length} value={done} aria-labelledby="guide-count" />
        <span id="guide-count" role="status">
          {done} of {steps.length} done
        </span>
      </div>
      <ol>
        {steps.map((step) => (
          <GuideStep key={step.id} step={step} isNext={step === next} />
        ))}
      </ol>
      {!next && <GuideCompleted readNext={read_next} restart={restart} />}
    </section>
  );
}

function GuideStep({ step, isNext }: { readonly step: Step; readonly isNext: boolean }): ReactNode {
  const isDone = step.done_at !== null;
  return (
    <li className={isDone ? 'is-done' : ''} aria-current={isNext ? 'step' : undefined}>
      <span className="guide-tick" aria-hidden="true">
        {isDone && <Icon name="check" />}
      </span>
      <div>
        <h3>
          {step.title} {isDone && <span className="guide-done">Done</span>}
        </h3>
        {!isDone && <p>{step.text}</p>}
        {step.try && !isDone && <TryButton step={step.try} isNext={isNext} title={step.title} />}
      </div>
    </li>
  );
}

interface TryProps {
  readonly step: NonNullable<Step['try']>;
  readonly isNext: boolean;
  readonly title: string;
}

function TryButton({ step, isNext, title }: TryProps): ReactNode {
  const composer = useComposer();
  const className = isNext ? 'primary' : undefined;
  if (step.kind === 'link') {
    return (
      <p>
        <a className="guide-link" href={step.url} target="_blank" rel="noreferrer">
          Open {new URL(step.url).host}
        </a>
      </p>
    );
  }
  return (
    <p className="guide-try">
      <code>{step.text}</code>
      <button
        type="button"
        className={className}
        aria-label={`Try it: ${title}`}
        onClick={() => composer.insert(step.text)}
      >
        Try It
      </button>
    </p>
  );
}

function GuideCompleted({
  readNext,
  restart,
}: {
  readonly readNext: ReadNext | null;
  restart(): void;
}): ReactNode {
  return (
    <div className="guide-end">
      <p className="guide-cheer">
        <span className="guide-tick" aria-hidden="true">
          <Icon name="check" />
        </span>
        All done. The sandbox saw each step happen.
      </p>
      {readNext && (
        <>
          <p>{readNext.text}</p>
          <ul>
            {readNext.links.map(({ title, url }) => (
              <li key={url}>
                <a href={url} target="_blank" rel="noreferrer">
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <button type="button" onClick={restart}>
        Start Over
      </button>
    </div>
  );
}
