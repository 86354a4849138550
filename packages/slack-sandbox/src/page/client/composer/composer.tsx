import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../components/icon.tsx';
import { MenuButton } from '../components/menu-button.tsx';
import type { FileData } from '../state/control-api.ts';
import { errorMessage } from '../state/error-message.ts';
import { useSession } from '../state/session.ts';
import { uploadFile } from '../state/upload-file.ts';
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
  /** Sends the text with the uploaded files. If it resolves to a string, that is shown below the field. */
  send(text: string, files: readonly string[]): Promise<string | undefined>;
}

/**
 * The field for messages and commands. Enter sends the text, Shift+Enter starts a new line, and the
 * up arrow recalls sent texts.
 */
export function Composer({ label, drafts, insertion, focusRequest, send }: Props): ReactNode {
  const { control, me, workspace, runShortcut } = useSession();
  const [refusal, setRefusal] = useState<string>();
  const [files, setFiles] = useState<readonly FileData[]>([]);
  const picker = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const composing = useComposerInput({ field, drafts, insertion, submit: () => void submit() });
  const { text, suggestions, active, setText } = composing;
  const id = useId();
  const shortcuts = workspace.shortcuts.filter(({ type }) => type === 'global');
  const command = findTypedCommand(text, workspace);
  const isEmpty = text.trim() === '' && files.length === 0;
  const usage = command && `${command.command} ${command.usage_hint ?? ''}`;

  useEffect(() => {
    // On a touch screen, the focus would open the keyboard over half of the conversation.
    if (focusRequest !== undefined && !matchMedia('(pointer: coarse)').matches) field.current?.focus();
  }, [focusRequest]);

  async function submit() {
    const typed = text.trim();
    if (isEmpty) return;
    if (typed !== '' && drafts.sent.at(-1) !== typed) drafts.sent.push(typed);
    setText('');
    setFiles([]);
    setRefusal(undefined);
    setRefusal(
      await send(
        typed,
        files.map(({ id }) => id),
      ),
    );
  }

  async function attach(chosen: readonly File[]) {
    setRefusal(undefined);
    try {
      const uploaded = await Promise.all(chosen.map((file) => uploadFile(control, me.id, file)));
      setFiles((earlier) => [...earlier, ...uploaded]);
      field.current?.focus();
    } catch (error) {
      setRefusal(errorMessage(error));
    }
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
      {files.length > 0 && (
        <ul className="composer-files" aria-label="Attached files">
          {files.map(({ id: file, name }) => (
            <li key={file}>
              {name}
              <button
                type="button"
                className="icon-button"
                aria-label={`Remove ${name}`}
                onClick={() => setFiles((all) => all.filter((each) => each.id !== file))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
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
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label="Files to attach"
          onChange={({ target }) => {
            void attach([...(target.files ?? [])]);
            // The same file can be chosen again.
            target.value = '';
          }}
        />
        <button
          type="button"
          className="icon-button"
          aria-label="Attach files"
          title="Attach files"
          onClick={() => picker.current?.click()}
        >
          <Icon name="attach" />
        </button>
        {refusal ? (
          <p id={`${id}-hint`} className="composer-hint refusal" role="alert">
            {refusal}
          </p>
        ) : (
          <p id={`${id}-hint`} className="composer-hint">
            {usage ?? <span className="keyboard-hint">Enter to send, Shift+Enter for a new line</span>}
          </p>
        )}
        <button type="submit" className="icon-button send" aria-label="Send" disabled={isEmpty}>
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}
