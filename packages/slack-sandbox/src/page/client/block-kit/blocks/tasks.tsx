import type { PlanBlock, TaskCardBlock } from '@slack/types';
import type { ReactNode } from 'react';
import { Link } from '../markup/inline-elements.tsx';
import { Placeholder } from '../placeholder.tsx';
import { renderByIndex } from '../render-by-index.ts';
import { RichTextView } from './rich-text.tsx';

const statuses = { pending: 'Pending', in_progress: 'In progress', complete: 'Complete', error: 'Failed' };

type Task = Omit<TaskCardBlock, 'type' | 'status'> & Partial<Pick<TaskCardBlock, 'type' | 'status'>>;

/** One step of an agent's work, with its results. */
export function TaskView({ block }: { readonly block: Task }): ReactNode {
  const { title, details, output, sources = [], status = 'pending' } = block;
  const heading = (
    <>
      <span className={`kit-status kit-status-${status}`} role="img" aria-label={statuses[status]} />
      <span className="kit-title">{title}</span>
    </>
  );
  if (!details && !output && sources.length === 0)
    return <div className="kit-task kit-heading">{heading}</div>;
  return (
    <details className="kit-task">
      <summary className="kit-heading">{heading}</summary>
      {details && <RichTextView block={details} />}
      {output && <RichTextView block={output} />}
      {sources.length > 0 && (
        <ul className="kit-sources" aria-label="Sources">
          {sources.map(({ url, text }) => (
            <li key={url}>
              <Link url={url}>{text}</Link>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

/** A list of tasks. */
export function PlanView({ block }: { readonly block: PlanBlock }): ReactNode {
  return (
    <section className="kit-plan">
      <div className="kit-title">{block.title}</div>
      {renderByIndex(block.tasks ?? [], (task) =>
        isTask(task) ? <TaskView block={task} /> : <Placeholder block={task} />,
      )}
    </section>
  );
}

function isTask(task: object): task is Task {
  return 'title' in task && typeof task.title === 'string';
}
