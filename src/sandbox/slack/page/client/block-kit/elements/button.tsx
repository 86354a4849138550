import type { Button, FeedbackButtons, IconButton, PlainTextElement, WorkflowButton } from '@slack/types';
import type { ReactNode } from 'react';
import { PlainText } from '../markup/text.tsx';
import { Sign } from '../sign.tsx';
import { useSurface } from '../surface.ts';
import type { Placed } from './placed.ts';
import { useElement } from './use-element.tsx';

interface PressableProps {
  readonly label?: string | undefined;
  readonly className?: string | undefined;
  readonly isPending: boolean;
  readonly icon?: ReactNode;
  readonly text: PlainTextElement;
  onPress(): void;
}

function Pressable({ label, className = '', isPending, icon, text, onPress }: PressableProps): ReactNode {
  return (
    <button
      type="button"
      className={`kit-button ${className}`}
      aria-label={label}
      aria-busy={isPending}
      aria-disabled={isPending}
      onClick={() => !isPending && onPress()}
    >
      {icon}
      <PlainText text={text} />
    </button>
  );
}

const styleClasses = { primary: 'kit-primary', danger: 'kit-danger' };

/** A button; one with a `url` opens it beside the page, and the app hears of it as well. */
export function ButtonView(placed: Placed<Button>): ReactNode {
  const { element } = placed;
  const { isPending, use, beside } = useElement(placed);

  function press() {
    if (element.url && !element.confirm) openBeside(element.url);
    use(element.value).then((isSent) => isSent && element.confirm && element.url && openBeside(element.url));
  }

  return (
    <span className="kit-element">
      <Pressable
        text={element.text}
        label={element.accessibility_label}
        className={element.style && styleClasses[element.style]}
        isPending={isPending}
        icon={element.url && <Sign name="away" />}
        onPress={press}
      />
      {beside}
    </span>
  );
}

/** A button with an icon, which may be there for some people only. */
export function IconButtonView(
  placed: Placed<IconButton & { readonly visible_to_user_ids?: readonly string[] }>,
): ReactNode {
  const { names } = useSurface();
  const { element } = placed;
  const { isPending, use, beside } = useElement(placed);
  const { visible_to_user_ids: viewers } = element;
  if (viewers && viewers.length > 0 && !viewers.some((id) => names.own.has(id))) return null;
  return (
    <span className="kit-element">
      <Pressable
        text={element.text}
        label={element.accessibility_label}
        className="kit-quiet"
        isPending={isPending}
        icon={<Sign name={element.icon === 'trash' ? 'trash' : 'default'} />}
        onPress={() => use(element.value)}
      />
      {beside}
    </span>
  );
}

/** Two buttons that tell what somebody thinks of an answer. */
export function FeedbackButtonsView(placed: Placed<FeedbackButtons>): ReactNode {
  const { element } = placed;
  const { isPending, use, beside } = useElement(placed);
  const button = (
    name: 'up' | 'down',
    { text, value, accessibility_label: label }: FeedbackButtons['positive_button'],
  ) => (
    <Pressable
      text={text}
      label={label}
      className="kit-quiet"
      isPending={isPending}
      icon={<Sign name={name} />}
      onPress={() => use(value)}
    />
  );
  return (
    <span className="kit-element kit-pair">
      {button('up', element.positive_button)}
      {button('down', element.negative_button)}
      {beside}
    </span>
  );
}

/** A button of a workflow, which the sandbox cannot run: it says so. */
export function WorkflowButtonView({ element }: Placed<WorkflowButton>): ReactNode {
  return (
    <span className="kit-element">
      <button
        type="button"
        className="kit-button"
        disabled
        aria-label={element.accessibility_label}
        title="The sandbox has no workflows"
      >
        <PlainText text={element.text} />
      </button>
    </span>
  );
}

/** Opens a page of the web in another tab. */
export function openBeside(url: string): void {
  if (/^(?:https?|mailto|tel):/i.test(url)) window.open(url, '_blank', 'noopener');
}
