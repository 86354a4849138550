import { type ReactNode, useEffect, useState } from 'react';
import { AgentBar } from '../agents/agent-bar.tsx';
import { NewThreadButton } from '../agents/new-thread-button.tsx';
import { Icon } from '../components/icon.tsx';
import { Composer } from '../composer/composer.tsx';
import type { Drafts } from '../composer/use-composer-input.ts';
import type { ActionResult } from '../state/control-api.ts';
import { errorMessage, explainSlackError, pluralize } from '../state/error-message.ts';
import { useSession } from '../state/session.ts';
import { AppTabs } from '../views/app-tabs.tsx';
import { createTimelineStore } from './timeline-store.ts';
import { TimelineView } from './timeline-view.tsx';

interface Props {
  readonly drafts: Drafts;
  readonly insertion?: { readonly text: string } | undefined;
  /** Changes when the composer has to get the focus. */
  readonly focusRequest: number;
}

/** A channel, or the direct messages with the app. */
export function Conversation({ drafts, insertion, focusRequest }: Props): ReactNode {
  const { control, workspace, me, channel: id, isReloaded, runAndNotify } = useSession();
  const [source] = useState(() => createTimelineStore({ control, user: me.id, channel: id, isReloaded }));
  useEffect(() => source.start(), [source]);
  const channel = workspace.channels.find((one) => one.id === id);
  const title = channel ? `# ${channel.name}` : workspace.app.name;
  const bots = new Set(workspace.apps.map(({ user_id: botUser }) => botUser));
  const humans = channel?.members.filter((id) => !bots.has(id)).length ?? 0;
  const closed = reasonToBeQuiet();

  function reasonToBeQuiet(): string | undefined {
    if (channel?.is_archived) return `# ${channel.name} is archived.`;
    if (channel && !channel.members.includes(me.id)) return `${me.real_name} is not in # ${channel.name}.`;
    if (!channel && workspace.app.messages_tab !== 'open') {
      return 'Sending messages to this app has been turned off.';
    }
    return undefined;
  }

  async function send(text: string, files: readonly string[]): Promise<undefined> {
    const [, command, rest] = /^(\/\S+)\s*([\s\S]*)$/.exec(text) ?? [];
    const where = { user: me.id, channel: id };
    // Errors of a command are reported by Slackbot.
    const act = command
      ? control.post('slash', { ...where, command, text: rest }).then(() => ({}))
      : control.post<ActionResult>('message', { ...where, text, files });
    await runAndNotify(act);
  }

  return (
    <>
      <header className="pane-head">
        <h2 tabIndex={-1}>{title}</h2>
        {channel ? (
          <small>
            {pluralize(humans, 'person', 'people')}
            {channel.is_shared && ' · shared with another organization'}
            {!channel.has_app &&
              ` · ${workspace.app.name} is not here: /invite @${workspace.app.name.toLowerCase()}`}
          </small>
        ) : (
          <>
            <AppTabs />
            <NewThreadButton />
          </>
        )}
      </header>
      <TimelineView label="Messages" channel={id} store={source} />
      <DisconnectedNotice />
      {closed ? (
        <p className="composer-closed">{closed}</p>
      ) : (
        <Composer
          label={`Message ${title}`}
          drafts={drafts}
          insertion={insertion}
          focusRequest={focusRequest}
          send={send}
        />
      )}
    </>
  );
}

/** Says that no app is connected and how to connect one. */
function DisconnectedNotice(): ReactNode {
  const { connections, delivery, app_token: appToken } = useSession().workspace.app;
  if (delivery === 'http' || connections > 0) return null;
  return (
    <p className="no-app">
      No app is connected, so commands and buttons get no response. Start one with{' '}
      <code>node --import slack-sandbox/register app.js</code>, or point any Bolt app at{' '}
      <code>{`${location.origin}/api/`}</code> with the app token <code>{appToken}</code>.
    </p>
  );
}

/** A message with its replies. */
export function Thread({ ts, drafts }: { readonly ts: string; readonly drafts: Drafts }): ReactNode {
  const { control, workspace, me, channel: id, navigate, runAndNotify } = useSession();
  const [source] = useState(() => createTimelineStore({ control, user: me.id, channel: id, thread: ts }));
  useEffect(() => source.start(), [source]);
  const channel = workspace.channels.find((one) => one.id === id);
  const isOpen = channel?.members.includes(me.id) && !channel.is_archived;

  async function send(text: string, files: readonly string[] = []): Promise<string | undefined> {
    const command = /^\/\S+/.exec(text)?.[0];
    const where = { user: me.id, channel: id, thread_ts: ts };
    if (!command) {
      await runAndNotify(control.post<ActionResult>('message', { ...where, text, files }));
      return undefined;
    }
    try {
      const { error } = await control.post<ActionResult>('slash', {
        ...where,
        command,
        text: text.slice(command.length),
      });
      return error && explainSlackError(error, workspace.app.name);
    } catch (error) {
      return errorMessage(error);
    }
  }

  return (
    <>
      <header className="pane-head">
        <h2>Thread</h2>
        <small>{channel ? `# ${channel.name}` : workspace.app.name}</small>
        <button
          type="button"
          className="icon-button at-end"
          aria-label="Close thread"
          onClick={() => navigate({})}
        >
          <Icon name="close" />
        </button>
      </header>
      <TimelineView label="Thread" channel={id} store={source} isThread />
      <AgentBar channel={id} ts={ts} ask={(text) => void send(text)} />
      {(isOpen || (!channel && (workspace.app.is_assistant || workspace.app.messages_tab === 'open'))) && (
        <Composer label="Reply in thread" drafts={drafts} send={send} />
      )}
    </>
  );
}
