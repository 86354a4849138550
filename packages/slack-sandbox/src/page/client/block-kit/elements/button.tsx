import type { Button, FeedbackButtons, IconButton, PlainTextElement, WorkflowButton } from '@slack/types';
import type { ReactNode } from 'react';
import { KitIcon } from '../kit-icon.tsx';
import { toLocalUrl } from '../markup/local-url.ts';
import { PlainText } from '../markup/text.tsx';
import { useSurface } from '../surface.ts';
import type { ElementProps } from './element-props.ts';
import { useElement } from './use-element.tsx';

interface KitButtonProps {
  readonly label?: string | undefined;
  readonly className?: string | undefined;
  readonly isPending: boolean;
  readonly icon?: ReactNode;
  readonly text: PlainTextElement;
  onPress(): void;
}

function KitButton({ label, className = '', isPending, icon, text, onPress }: KitButtonProps): ReactNode {
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

/** A button. If it has a `url`, that opens in a new tab, and the app is notified too. */
export function ButtonView(placed: ElementProps<Button>): ReactNode {
  const { element } = placed;
  const { isPending, trigger, feedback } = useElement(placed);

  function press() {
    if (element.url && !element.confirm) openInNewTab(element.url);
    trigger(element.value).then(
      (isSent) => isSent && element.confirm && element.url && openInNewTab(element.url),
    );
  }

  return (
    <span className="kit-element">
      <KitButton
        text={element.text}
        label={element.accessibility_label}
        className={element.style && styleClasses[element.style]}
        isPending={isPending}
        icon={element.url && <KitIcon name="away" />}
        onPress={press}
      />
      {feedback}
    </span>
  );
}

/** An icon button. It can be visible to some people only. */
export function IconButtonView(
  placed: ElementProps<IconButton & { readonly visible_to_user_ids?: readonly string[] }>,
): ReactNode {
  const { names } = useSurface();
  const { element } = placed;
  const { isPending, trigger, feedback } = useElement(placed);
  const { visible_to_user_ids: viewers } = element;
  if (viewers && viewers.length > 0 && !viewers.some((id) => names.selfIds.has(id))) return null;
  return (
    <span className="kit-element">
      <KitButton
        text={element.text}
        label={element.accessibility_label}
        className="kit-quiet"
        isPending={isPending}
        icon={<KitIcon name={element.icon === 'trash' ? 'trash' : 'default'} />}
        onPress={() => trigger(element.value)}
      />
      {feedback}
    </span>
  );
}

/** Two buttons for rating an app's answer. */
export function FeedbackButtonsView(placed: ElementProps<FeedbackButtons>): ReactNode {
  const { element } = placed;
  const { isPending, trigger, feedback } = useElement(placed);
  const button = (
    name: 'up' | 'down',
    { text, value, accessibility_label: label }: FeedbackButtons['positive_button'],
  ) => (
    <KitButton
      text={text}
      label={label}
      className="kit-quiet"
      isPending={isPending}
      icon={<KitIcon name={name} />}
      onPress={() => trigger(value)}
    />
  );
  return (
    <span className="kit-element kit-pair">
      {button('up', element.positive_button)}
      {button('down', element.negative_button)}
      {feedback}
    </span>
  );
}

/** A workflow button. The sandbox can't run workflows and says so. */
export function WorkflowButtonView({ element }: ElementProps<WorkflowButton>): ReactNode {
  return (
    <span className="kit-element">
      <button
        type="button"
        className="kit-button"
        disabled
        aria-label={element.accessibility_label}
        title="The sandbox does not support workflows"
      >
        <PlainText text={element.text} />
      </button>
    </span>
  );
}

/** Opens a web page in another tab. */
export function openInNewTab(url: string): void {
  if (/^(?:https?|mailto|tel):/i.test(url)) window.open(toLocalUrl(url), '_blank', 'noopener');
}
