import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../components/icon.tsx';
import { MenuButton } from '../components/menu-button.tsx';
import { useSession } from '../state/session.ts';
import { findTypedCommand } from './autocomplete.ts';
import { SuggestionList } from './suggestion-list.tsx';
import { type Drafts, useComposerInput } from './use-composer-input.ts';

interface Props {
  readonly label: string;
  readonly drafts: Drafts;
  /** Text that another part of the page inserts. It is inserted once. */
  readonly insertion?: { readonly text: string } | undefined;
  /** The field gets the focus when it appears and whenever this number changes. Undefined: never. */
  readonly focusRequest?: number;
  /** Sends the text. If it resolves to a string, that is shown below the field. */
  send(text: string): Promise<string | undefined>;
}

/**
 * The field for messages and commands. Enter sends the text, Shift+Enter starts a new line, and the
 * up arrow recalls sent texts.
 */
export function Composer({ label, drafts, insertion, focusRequest, send }: Props): ReactNode {
  const { workspace, runShortcut } = useSession();
  const [refusal, setRefusal] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const composing = useComposerInput({ field, drafts, insertion, submit: () => void submit() });
  const { text, suggestions, active, setText } = composing;
  const id = useId();
  const shortcuts = workspace.shortcuts.filter(({ type }) => type === 'global');
  const command = findTypedCommand(text, workspace);
  const usage = command && `${command.command} ${command.usage_hint ?? ''}`;

  useEffect(() => {
    // On a touch screen, the focus would open the keyboard over half of the conversation.
    if (focusRequest !== undefined && !matchMedia('(pointer: coarse)').matches) field.current?.focus();
  }, [focusRequest]);

  async function submit() {
    const typed = text.trim();
    if (typed === '') return;
    if (drafts.sent.at(-1) !== typed) drafts.sent.push(typed);
    setText('');
    setRefusal(undefined);
    setRefusal(await send(typed));
  }

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {suggestions.length > 0 && (
        <SuggestionList
          id={`${id}-suggestions`}
          suggestions={suggestions}
          active={active}
          choose={composing.accept}
        />
      )}
      <textarea
        ref={field}
        rows={1}
        value={text}
        placeholder={label}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={suggestions.length > 0 ? `${id}-suggestions` : undefined}
        aria-activedescendant={suggestions.length > 0 ? `${id}-suggestions-${active}` : undefined}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => {
          setText(target.value, target.selectionStart);
          setRefusal(undefined);
        }}
        onSelect={({ currentTarget }) => composing.moveCursor(currentTarget.selectionStart)}
        onKeyDown={composing.onKeyDown}
      />
      <div className="composer-tools">
        {shortcuts.length > 0 && (
          <MenuButton
            label="Shortcuts"
            className="icon-button"
            items={shortcuts.map(({ name, description, callback_id: callbackId }) => ({
              label: name,
              hint: description,
              run: () => void runShortcut(callbackId),
            }))}
          >
            <Icon name="bolt" />
          </MenuButton>
        )}
        <button
          type="button"
          className="icon-button"
          aria-label="Run a command"
          title="Run a command"
          onClick={() => composing.insert('/')}
          disabled={text !== ''}
        >
          <Icon name="slash" />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label="Mention someone"
          title="Mention someone"
          onClick={() => composing.insert('@')}
        >
          <Icon name="at" />
        </button>
        {refusal ? (
          <p id={`${id}-hint`} className="composer-hint refusal" role="alert">
            {refusal}
          </p>
        ) : (
          <p id={`${id}-hint`} className="composer-hint">
            {usage ?? 'Enter to send, Shift+Enter for a new line'}
          </p>
        )}
        <button type="submit" className="icon-button send" aria-label="Send" disabled={text.trim() === ''}>
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}
