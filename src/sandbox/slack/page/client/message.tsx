import { memo, type ReactNode } from 'react';
import { Avatar } from './avatar.tsx';
import { Attachments } from './block-kit/attachments.tsx';
import { Blocks } from './block-kit/blocks.tsx';
import { MessageText } from './block-kit/markup/message-text.tsx';
import { SurfaceContext } from './block-kit/surface.ts';
import { Files } from './files.tsx';
import { Icon } from './icon.tsx';
import { MessageTools } from './message-tools.tsx';
import { useSession } from './session.ts';
import { useMessageSurface } from './surfaces.ts';
import { pings } from './unread.ts';
import type { MessageFacts } from './wire.ts';
import { count } from './words.ts';

interface Props {
  readonly message: MessageFacts;
  readonly channel: string;
  /** Follows a message of the same author, so that the name need not stand there again. */
  readonly isGrouped: boolean;
  /** Whether the address points at it. */
  readonly isPointedAt: boolean;
  /** Whether it stands in a thread's pane. */
  readonly isInThread: boolean;
  /** Whether the keyboard comes to it first. */
  readonly isTabStop: boolean;
}

/** One message; drawn again only when it changed. */
export const MessageRow = memo(function MessageRow(props: Props): ReactNode {
  const { message, isGrouped, isPointedAt, isTabStop } = props;
  const { names, moments, me, workspace } = useSession();
  const { ts, user, ephemeral } = message;
  const name = names.user(user);
  const isApp = message.bot_id !== undefined || user === 'USLACKBOT';
  const isCalling = pings(workspace, message, me.id);
  const marks = { grouped: isGrouped, ephemeral, calling: isCalling, 'pointed-at': isPointedAt };
  const time = (
    <time title={moments.full(ts)} dateTime={new Date(Number(ts) * 1000).toISOString()}>
      {moments.time(ts)}
    </time>
  );

  return (
    <li
      className={['message', ...Object.entries(marks).map(([mark, isSet]) => isSet && mark)]
        .filter(Boolean)
        .join(' ')}
      data-ts={ts}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={`${name}, ${moments.time(ts)}`}
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
        <MessageTools message={message} channel={props.channel} isInThread={props.isInThread} />
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
  // A picture that a block shows already is not shown again.
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
      {rest.length > 0 && <Files files={rest} />}
      {edited && <small className="edited">(edited)</small>}
      {!isInThread && <ThreadLink message={message} />}
    </SurfaceContext>
  );
}

function BroadcastNote({ message: { thread_ts: thread } }: { readonly message: MessageFacts }): ReactNode {
  const { hrefOf } = useSession();
  return (
    <p className="only-you">
      Replied to a <a href={hrefOf({ thread })}>thread</a>
    </p>
  );
}

function ThreadLink({ message }: { readonly message: MessageFacts }): ReactNode {
  const { names, moments, go, workspace } = useSession();
  const { ts, reply_count: replies = 0, reply_users: users = [], latest_reply: latest } = message;
  if (replies === 0) return null;
  return (
    <button type="button" className="thread-link" onClick={() => go({ thread: ts })}>
      {users.slice(0, 4).map((user) => (
        <Avatar key={user} name={names.user(user)} isApp={user === workspace.app.user_id} />
      ))}
      <span>{count(replies, 'reply', 'replies')}</span>
      {latest && (
        <small>
          Last reply {moments.day(latest, Date.now()).toLowerCase()} at {moments.time(latest)}
        </small>
      )}
    </button>
  );
}
