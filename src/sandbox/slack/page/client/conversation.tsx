import { type ReactNode, useEffect, useState } from 'react';
import { AppTabs } from './app-tabs.tsx';
import { Composer } from './composer.tsx';
import { Icon } from './icon.tsx';
import { useSession } from './session.ts';
import { createTimeline } from './timeline.ts';
import { TimelineView } from './timeline-view.tsx';
import type { Drafts } from './use-composing.ts';
import type { Reaction } from './wire.ts';
import { count, explain, wordsOf } from './words.ts';

interface Props {
  readonly drafts: Drafts;
  readonly given?: { readonly text: string } | undefined;
}

/** A channel, or the direct messages with the app. */
export function Conversation({ drafts, given }: Props): ReactNode {
  const { control, workspace, me, channel: id, isReloaded, tell } = useSession();
  const [source] = useState(() => createTimeline({ control, user: me.id, channel: id, isReloaded }));
  useEffect(() => source.start(), [source]);
  const channel = workspace.channels.find((one) => one.id === id);
  const title = channel ? `# ${channel.name}` : workspace.app.name;
  const humans = channel?.members.filter((id) => id !== workspace.app.user_id).length ?? 0;
  const closed = reasonToBeQuiet();

  function reasonToBeQuiet(): string | undefined {
    if (channel?.is_archived) return `# ${channel.name} is archived.`;
    if (channel && !channel.members.includes(me.id)) return `${me.real_name} is not in # ${channel.name}.`;
    if (!channel && workspace.app.messages_tab !== 'open') {
      return 'Sending messages to this app has been turned off.';
    }
    return undefined;
  }

  async function send(text: string): Promise<undefined> {
    const [, command, rest] = /^(\/\S+)\s*([\s\S]*)$/.exec(text) ?? [];
    const where = { user: me.id, channel: id };
    // Slackbot tells what went wrong with a command.
    const act = command
      ? control.post('slash', { ...where, command, text: rest }).then(() => ({}))
      : control.post<Reaction>('message', { ...where, text });
    await tell(act);
  }

  return (
    <>
      <header className="pane-head">
        <h2 tabIndex={-1}>{title}</h2>
        {channel ? (
          <small>
            {count(humans, 'person', 'people')}
            {channel.is_shared && ' · shared with another organisation'}
            {!channel.has_app &&
              ` · without ${workspace.app.name}: /invite @${workspace.app.name.toLowerCase()}`}
          </small>
        ) : (
          <AppTabs />
        )}
      </header>
      <TimelineView label="Messages" channel={id} source={source} />
      <AppAbsence />
      {closed ? (
        <p className="composer-closed">{closed}</p>
      ) : (
        <Composer label={`Message ${title}`} drafts={drafts} given={given} send={send} />
      )}
    </>
  );
}

/** Says that nobody will answer, and how to change that. */
function AppAbsence(): ReactNode {
  const { connections, delivery } = useSession().workspace.app;
  if (delivery === 'http' || connections > 0) return null;
  return (
    <p className="no-app">
      No app is connected, so nobody answers commands and buttons. Start one with <code>npm run sandbox</code>
      , or point any Bolt app at <code>{`${location.origin}/api/`}</code> with the app token{' '}
      <code>xapp-sandbox</code>.
    </p>
  );
}

/** A message with its replies. */
export function Thread({ ts, drafts }: { readonly ts: string; readonly drafts: Drafts }): ReactNode {
  const { control, workspace, me, channel: id, go, tell } = useSession();
  const [source] = useState(() => createTimeline({ control, user: me.id, channel: id, thread: ts }));
  useEffect(() => source.start(), [source]);
  const channel = workspace.channels.find((one) => one.id === id);
  const isOpen = channel?.members.includes(me.id) && !channel.is_archived;

  async function send(text: string): Promise<string | undefined> {
    const command = /^\/\S+/.exec(text)?.[0];
    const where = { user: me.id, channel: id, thread_ts: ts };
    if (!command) {
      await tell(control.post<Reaction>('message', { ...where, text }));
      return undefined;
    }
    try {
      const { error } = await control.post<Reaction>('slash', {
        ...where,
        command,
        text: text.slice(command.length),
      });
      return error && explain(error, workspace.app.name);
    } catch (error) {
      return wordsOf(error);
    }
  }

  return (
    <>
      <header className="pane-head">
        <h2>Thread</h2>
        <small>{channel ? `# ${channel.name}` : workspace.app.name}</small>
        <button type="button" className="icon-button at-end" aria-label="Close thread" onClick={() => go({})}>
          <Icon name="close" />
        </button>
      </header>
      <TimelineView label="Thread" channel={id} source={source} isThread />
      {(isOpen || (!channel && workspace.app.messages_tab === 'open')) && (
        <Composer label="Reply in thread" drafts={drafts} send={send} />
      )}
    </>
  );
}
