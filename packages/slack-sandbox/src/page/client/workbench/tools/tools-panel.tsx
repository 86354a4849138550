import { type ReactNode, useCallback, useEffect, useId, useState } from 'react';
import { ErrorAlert } from '../../components/error-alert.tsx';
import type { McpServerData } from '../../state/control-api.ts';
import { errorMessage } from '../../state/error-message.ts';
import { useSession } from '../../state/session.ts';
import { type Tool, ToolForm } from './tool-form.tsx';

/** Lists the tools of the apps' MCP servers, and calls them in the person's name as Slackbot does. */
export function ToolsPanel(): ReactNode {
  const { me, workspace } = useSession();
  return (
    <div className="trouble">
      {workspace.mcp_servers.map((server) => (
        <ServerTools key={`${me.id} ${server.app_id} ${server.key}`} server={server} />
      ))}
    </div>
  );
}

function ServerTools({ server }: { readonly server: McpServerData }): ReactNode {
  const { control, me } = useSession();
  const [tools, setTools] = useState<readonly Tool[]>();
  const [failure, setFailure] = useState('');
  const id = useId();
  const { key, url, app_id: app } = server;

  const load = useCallback(async () => {
    setFailure('');
    try {
      const answer = await control.get<{ tools?: readonly Tool[] }>('tools', {
        user: me.id,
        app,
        server: key,
      });
      setTools(answer.tools ?? []);
    } catch (error) {
      setTools(undefined);
      setFailure(errorMessage(error));
    }
  }, [control, me.id, app, key]);

  useEffect(() => void load(), [load]);

  return (
    <section className="trouble-part" aria-labelledby={id}>
      <h3 id={id}>MCP tools of {key}</h3>
      <p className="subtle">
        Slackbot asks {url} for them, and calls them in your name.{' '}
        <button type="button" className="link-button" onClick={() => void load()}>
          List Again
        </button>
      </p>
      <ErrorAlert text={failure} />
      {tools?.length === 0 && <p className="subtle">This server has no tools.</p>}
      {tools?.map((tool) => (
        <ToolForm key={tool.name} tool={tool} server={server} />
      ))}
    </section>
  );
}
