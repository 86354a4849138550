import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import { filterObjects, isObject } from '../../../../json.ts';
import { renderByIndex } from '../../block-kit/render-by-index.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import type { McpServerData } from '../../state/control-api.ts';
import { errorMessage } from '../../state/error-message.ts';
import { useSession } from '../../state/session.ts';
import { JsonTree } from '../inspector/json-tree.tsx';

/** A tool as the MCP server lists it. */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
}

interface Props {
  readonly tool: Tool;
  readonly server: McpServerData;
}

/** A tool with a field for its arguments, and the answer to the latest call. */
export function ToolForm({ tool, server }: Props): ReactNode {
  const { control, me } = useSession();
  const [text, setText] = useState('{}');
  const [answer, setAnswer] = useState<unknown>();
  const [failure, setFailure] = useState('');
  const id = useId();

  async function call(event: SyntheticEvent) {
    event.preventDefault();
    setFailure('');
    setAnswer(undefined);
    try {
      const body = { user: me.id, app: server.app_id, server: server.key, tool: tool.name };
      setAnswer(await control.post<unknown>('call-tool', { ...body, arguments: parseArguments(text) }));
    } catch (error) {
      setFailure(errorMessage(error));
    }
  }

  return (
    <form className="fault" aria-labelledby={`${id}-title`} onSubmit={call}>
      <h4 id={`${id}-title`}>{tool.title ?? tool.name}</h4>
      {tool.description && <p>{tool.description}</p>}
      <label htmlFor={`${id}-arguments`}>Arguments, in JSON</label>
      <textarea
        id={`${id}-arguments`}
        rows={2}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {tool.inputSchema !== undefined && (
        <details>
          <summary>Schema of the arguments</summary>
          <JsonTree label={`Schema of ${tool.name}`} value={tool.inputSchema} />
        </details>
      )}
      <div className="fault-fields">
        <button type="submit">Call Tool</button>
      </div>
      <ErrorAlert text={failure} />
      {answer !== undefined && <Answer tool={tool} answer={answer} />}
    </form>
  );
}

/** The answer's texts, as Slackbot reads them, and all of it. */
function Answer({ tool, answer }: { readonly tool: Tool; readonly answer: unknown }): ReactNode {
  const content = filterObjects(isObject(answer) ? answer.content : undefined);
  return (
    <section aria-label={`Answer of ${tool.name}`}>
      {renderByIndex(
        content.filter(({ type }) => type === 'text'),
        ({ text }) => (
          <pre className="kit-pre">{String(text)}</pre>
        ),
      )}
      <JsonTree label="Whole answer" value={answer} />
    </section>
  );
}

function parseArguments(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error('Arguments must be a JSON object, such as {"name": "web-1"}.', { cause });
  }
  if (!isObject(value)) throw new Error('Arguments must be a JSON object, such as {"name": "web-1"}.');
  return value;
}
