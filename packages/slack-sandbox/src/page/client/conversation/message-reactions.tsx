import type { ReactNode } from 'react';
import { findEmoji } from '../block-kit/markup/emoji.ts';
import type { MessageData } from '../state/control-api.ts';
import { useSession } from '../state/session.ts';

interface Props {
  readonly message: MessageData;
  readonly channel: string;
}

/** The reactions to a message. A click adds or removes the person's own. */
export function MessageReactions({ message: { ts, reactions = [] }, channel }: Props): ReactNode {
  const { control, me, names, runAndNotify } = useSession();
  if (reactions.length === 0) return null;
  return (
    <ul className="reactions">
      {reactions.map(({ name, users, count }) => {
        const people = users.map((user) => names.user(user)).join(', ');
        return (
          <li key={name}>
            <button
              type="button"
              aria-pressed={users.includes(me.id)}
              aria-label={`${count} ${name}: ${people}`}
              title={`${people} reacted with :${name}:`}
              onClick={() => void runAndNotify(control.post('react', { user: me.id, channel, ts, name }))}
            >
              <span>{findEmoji(name) ?? `:${name}:`}</span>
              <span>{count}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
