import type { ReactNode } from 'react';
import { findEmoji } from '../block-kit/markup/emoji.ts';
import { Icon } from '../components/icon.tsx';
import { MenuButton, type MenuItem } from '../components/menu-button.tsx';
import type { MessageData } from '../state/control-api.ts';
import { errorMessage } from '../state/error-message.ts';
import { useSession } from '../state/session.ts';

/** The emoji that the menu offers. */
const quickReactions: readonly string[] = ['eyes', 'white_check_mark', '+1'];

interface Props {
  readonly message: MessageData;
  readonly channel: string;
  readonly isInThread: boolean;
}

/** A message's actions. They are shown on hover or focus. */
export function MessageActions({ message, channel, isInThread }: Props): ReactNode {
  const { control, me, navigate, hrefOf, notify, runAndNotify, runShortcut, workspace } = useSession();
  const { ts, thread_ts: parent, ephemeral } = message;

  async function copy(text: string, what: string) {
    try {
      await navigator.clipboard.writeText(text);
      notify(`${what} copied`, 'note');
    } catch (error) {
      notify(`The browser blocked copying: ${errorMessage(error)}`);
    }
  }

  const openThread = () => navigate({ thread: parent ?? ts });
  const link = () =>
    new URL(hrefOf({ thread: parent === ts ? undefined : parent, message: ts }), location.href).href;
  const copyLink: MenuItem = {
    label: 'Copy link',
    icon: <Icon name="link" />,
    run: () => void copy(link(), 'Link'),
  };
  const copyJson: MenuItem = {
    label: 'Copy as JSON',
    icon: <Icon name="copy" />,
    run: () => void copy(JSON.stringify(message, null, 2), 'JSON'),
  };
  const shortcuts = workspace.shortcuts.filter(({ type }) => type === 'message');
  const useItems = shortcuts.map(
    ({ name, callback_id: callbackId, app }): MenuItem => ({
      label: name,
      icon: <Icon name="bolt" />,
      hint: app,
      run: () => void runShortcut(callbackId, { channel, ts }),
    }),
  );
  const reactItems = quickReactions.map(
    (name): MenuItem => ({
      label: `React with :${name}:`,
      icon: <span aria-hidden="true">{findEmoji(name)}</span>,
      run: () => void runAndNotify(control.post('react', { user: me.id, channel, ts, name })),
    }),
  );
  const items = ephemeral ? [copyJson] : [...useItems, ...reactItems, copyLink, copyJson];

  return (
    <div className="message-tools">
      {!isInThread && !ephemeral && (
        <button
          type="button"
          className="icon-button"
          aria-label="Reply in thread"
          title="Reply in thread"
          onClick={openThread}
        >
          <Icon name="message" />
        </button>
      )}
      <MenuButton label="Message actions" className="icon-button" items={items}>
        <Icon name="more" />
      </MenuButton>
    </div>
  );
}
