import { type ReactNode, useId, useRef, useState } from 'react';
import { commandTyped } from './completion.ts';
import { Icon } from './icon.tsx';
import { MenuButton } from './menu.tsx';
import { Offers } from './offers.tsx';
import { useSession } from './session.ts';
import { type Drafts, useComposing } from './use-composing.ts';

interface Props {
  readonly label: string;
  readonly drafts: Drafts;
  /** Words that came from elsewhere on the page; each is taken over once. */
  readonly given?: { readonly text: string } | undefined;
  /** Takes what was typed; the words that it resolves to are shown below the field. */
  send(text: string): Promise<string | undefined>;
}

/** Where messages and commands are typed. Enter sends, Shift+Enter begins a new line, arrow up brings back what was sent. */
export function Composer({ label, drafts, given, send }: Props): ReactNode {
  const { workspace, runShortcut } = useSession();
  const [refusal, setRefusal] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const composing = useComposing({ field, drafts, given, submit: () => void submit() });
  const { text, offers, active, write } = composing;
  const id = useId();
  const shortcuts = workspace.shortcuts.filter(({ type }) => type === 'global');
  const command = commandTyped(text, workspace);
  const usage = command && `${command.command} ${command.usage_hint ?? ''}`;

  async function submit() {
    const typed = text.trim();
    if (typed === '') return;
    if (drafts.sent.at(-1) !== typed) drafts.sent.push(typed);
    write('');
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
      {offers.length > 0 && (
        <Offers id={`${id}-offers`} offers={offers} active={active} choose={composing.accept} />
      )}
      <textarea
        ref={field}
        rows={1}
        value={text}
        placeholder={label}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={offers.length > 0 ? `${id}-offers` : undefined}
        aria-activedescendant={offers.length > 0 ? `${id}-offers-${active}` : undefined}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => {
          write(target.value, target.selectionStart);
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
          aria-label="Mention somebody"
          title="Mention somebody"
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
            {usage ?? 'Enter sends, Shift+Enter begins a new line'}
          </p>
        )}
        <button type="submit" className="icon-button send" aria-label="Send" disabled={text.trim() === ''}>
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}
