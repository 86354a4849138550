import { memo, type ReactNode } from 'react';
import { Attachments } from '../block-kit/attachments.tsx';
import { Blocks } from '../block-kit/blocks.tsx';
import { MessageText } from '../block-kit/markup/message-text.tsx';
import { SurfaceContext } from '../block-kit/surface.ts';
import { Avatar } from '../components/avatar.tsx';
import { Icon } from '../components/icon.tsx';
import type { MessageData } from '../state/control-api.ts';
import { pluralize } from '../state/error-message.ts';
import { useSession } from '../state/session.ts';
import { mentionsUser } from '../state/unread-store.ts';
import { useMessageSurface } from '../views/use-surfaces.ts';
import { MessageActions } from './message-actions.tsx';
import { MessageFiles } from './message-files.tsx';
import { MessageReactions } from './message-reactions.tsx';
import { WorkObjects } from './work-objects/work-objects.tsx';

interface Props {
  readonly message: MessageData;
  readonly channel: string;
  /** Whether the message follows one by the same author, whose name isn't repeated. */
  readonly isGrouped: boolean;
  /** Whether the address points to the message. */
  readonly isLinkTarget: boolean;
  /** Whether the message is in the thread pane. */
  readonly isInThread: boolean;
  /** Whether Tab moves to this message first. */
  readonly isTabStop: boolean;
}

/** One message. It is rendered again only if it has changed. */
export const MessageRow = memo(function MessageRow(props: Props): ReactNode {
  const { message, isGrouped, isLinkTarget, isTabStop } = props;
  const { names, timestamps, me, workspace } = useSession();
  const { ts, user, ephemeral } = message;
  const name = message.username ?? names.user(user);
  const isApp = message.bot_id !== undefined || user === 'USLACKBOT';
  const isCalling = mentionsUser(workspace, message, me.id);
  const marks = { grouped: isGrouped, ephemeral, calling: isCalling, 'pointed-at': isLinkTarget };
  const time = (
    <time title={timestamps.full(ts)} dateTime={new Date(Number(ts) * 1000).toISOString()}>
      {timestamps.time(ts)}
    </time>
  );

  return (
    <li
      className={['message', ...Object.entries(marks).map(([mark, isSet]) => isSet && mark)]
        .filter(Boolean)
        .join(' ')}
      data-ts={ts}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={`${name}, ${timestamps.time(ts)}`}
    >
      {isGrouped ? time : <Avatar name={name} isApp={isApp} />}
      <div className="message-content">
        {ephemeral && <p className="only-you">Only visible to you</p>}
        {!isGrouped && (
          <div className="byline">
            <strong>{name}</strong>
            {isApp && <span className="badge">APP</span>}
            {time}
          </div>
        )}
        <MessageBody {...props} />
      </div>
      {message.subtype !== 'tombstone' && (
        <MessageActions message={message} channel={props.channel} isInThread={props.isInThread} />
      )}
    </li>
  );
});

function MessageBody({ message, channel, isInThread }: Props): ReactNode {
  const { names, me } = useSession();
  const surface = useMessageSurface(channel, message);
  const { blocks = [], attachments = [], files = [], subtype, edited, text } = message;
  if (subtype === 'tombstone') {
    return (
      <>
        <p className="tombstone">
          <Icon name="trash" /> This message was deleted.
        </p>
        {!isInThread && <ThreadLink message={message} />}
      </>
    );
  }
  // Images that a block already shows aren't shown again.
  const shown = JSON.stringify(blocks);
  const rest = files.filter(({ id, url_private: url }) => !shown.includes(id) && !shown.includes(url));
  return (
    <SurfaceContext value={surface}>
      {subtype === 'thread_broadcast' && !isInThread && <BroadcastNote message={message} />}
      {blocks.length > 0 ? (
        <Blocks blocks={blocks} />
      ) : (
        text && (
          <div className="message-text">
            <MessageText text={text} names={names} timeZone={me.tz} />
          </div>
        )
      )}
      {attachments.length > 0 && <Attachments attachments={attachments} />}
      {rest.length > 0 && <MessageFiles files={rest} />}
      {message.work_objects && (
        <WorkObjects message={message} channel={channel} objects={message.work_objects} />
      )}
      {edited && <small className="edited">(edited)</small>}
      <MessageReactions message={message} channel={channel} />
      {!isInThread && <ThreadLink message={message} />}
    </SurfaceContext>
  );
}

function BroadcastNote({ message: { thread_ts: thread } }: { readonly message: MessageData }): ReactNode {
  const { hrefOf } = useSession();
  return (
    <p className="only-you">
      Replied to a <a href={hrefOf({ thread })}>thread</a>
    </p>
  );
}

function ThreadLink({ message }: { readonly message: MessageData }): ReactNode {
  const { names, timestamps, navigate, workspace } = useSession();
  const { ts, reply_count: replies = 0, reply_users: users = [], latest_reply: latest } = message;
  if (replies === 0) return null;
  return (
    <button type="button" className="thread-link" onClick={() => navigate({ thread: ts })}>
      {users.slice(0, 4).map((user) => (
        <Avatar
          key={user}
          name={names.user(user)}
          isApp={workspace.apps.some(({ user_id: botUser }) => botUser === user)}
        />
      ))}
      <span>{pluralize(replies, 'reply', 'replies')}</span>
      {latest && (
        <small>
          Last reply {timestamps.day(latest, Date.now()).toLowerCase()} at {timestamps.time(latest)}
        </small>
      )}
    </button>
  );
}
